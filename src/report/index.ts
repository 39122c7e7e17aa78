export { auditFigure } from "./audit-figure.ts";
export { diagnosisFigure } from "./diagnosis-figure.ts";
export { type GapSummary, gapFigure, gapReport, summarise } from "./gap-report.ts";
export { writeFigure } from "./write-figure.ts";
export { type WrittenPages, writeResultsPage, writeStudyPage } from "./write-pages.ts";
