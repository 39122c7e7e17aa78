import { availableParallelism } from "node:os";
import { extname, resolve } from "node:path";
import { Option } from "commander";
import { type Silence, writeDocuments } from "../formats/index.ts";
import {
  conflictPolicies,
  estimatePrecision,
  type Labelled,
  type LabelPolicy,
  type LabelReport,
  label as labelDocuments,
  type Matcher,
  overlapPolicies,
  type ReportCollector,
  reportCollector,
  type SamplePrecision,
  writeMatcher,
} from "../lexicon/index.ts";
import type { Document } from "../text/document.ts";
import type { Scheme } from "../text/tags.ts";
import { writeTextAtomically } from "../util/atomic.ts";
import { InputError } from "../util/errors.ts";
import type { RegisterCommand } from "./command.ts";
import { type MatcherFlags, matcherOptions, openMatcher } from "./label-matcher.ts";
import { jsonOption, quietOption, required, wholeNumber } from "./options.ts";
import { assertJsonHasRoom, describeLosses, note, printJson } from "./output.ts";
import { readPlainText } from "./plain-text.ts";
import { grouped, progress } from "./progress.ts";
import {
  formatLike,
  formatOption,
  openDocuments,
  type ReadingFlags,
  readingFlags,
  readingOptions,
  scheme,
  silenceOption,
} from "./reading.ts";
import { describeSize, watch } from "./watch.ts";
