/** Exported models in a browser. Nothing here needs Node. */

export type { TaggedEntity } from "../inference/pure.ts";
export { checkedFile } from "./checked-file.ts";
export type { DecodeDescription, Description, FileDescription } from "./description.ts";
export { parseDescription } from "./description.ts";
export { type LoadOptions, type LoadProgress, loadRecogniser } from "./load.ts";
export { type DecodeOptions, ExportedRecogniser } from "./recogniser.ts";
export type { OnnxRuntime } from "./runtime.ts";
