import type { Document } from "../text/document.ts";
import { tokenise } from "../text/tokenise.ts";
import type { FileFormat, ReadOptions } from "./format.ts";
import * as limits from "./limits.ts";
import { checkUtf8, lineBlocks } from "./lines.ts";
import type { Source } from "./source.ts";
