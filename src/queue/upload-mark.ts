import { join, relative } from "node:path";

/** Begins a path that was uploaded, in settings: by itself it means nothing on the machine of a worker. */
export const uploadMark = "upload:";

/** Where an uploaded file is put below a folder; no path leads out of it. */
export function placeOfUpload(path: string, folder: string): string {
  return join(folder, relative("/", join("/", path.slice(uploadMark.length))));
}

/** A value in which every text is what a function makes of it. */
export function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, map));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts(each, map)]));
}
