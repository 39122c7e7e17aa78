import { mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { OnnxGraph } from "../tensor/onnx-schema.ts";
import { InputError } from "../util/errors.ts";
import { type NumberArray, writeSafetensors } from "../util/safetensors.ts";
import { readOnnx, weightsIn } from "./onnx-file.ts";
