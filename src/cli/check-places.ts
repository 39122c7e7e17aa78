import type { Conflicts, Diagnosis, Duplicates, Position } from "../evaluation/index.ts";
import type { Document } from "../text/index.ts";

/** A file of the corpus. */
export interface CheckedFile {
  readonly path: string;
  readonly documents: readonly Document[];
}

/** A position with its file; `document` is then the index in that file. */
export interface FilePosition extends Position {
  readonly file: string;
}

/** A diagnosis whose positions name their file. */
export interface FileDiagnosis extends Omit<Diagnosis, "conflicts" | "duplicates"> {
  readonly conflicts: Conflicts<FilePosition>;
  readonly duplicates: Duplicates<FilePosition>;
}

export function placeInFiles(diagnosis: Diagnosis, files: readonly CheckedFile[]): FileDiagnosis {
  const place = (position: Position): FilePosition => {
    let document = position.document;
    const file = files.find(({ documents }) => {
      if (document < documents.length) return true;
      document -= documents.length;
      return false;
    });
    return { file: file!.path, ...position, document };
  };
  const { conflicts, duplicates } = diagnosis;
  return {
    ...diagnosis,
    conflicts: {
      ...conflicts,
      examples: conflicts.examples.map((each) => ({
        ...each,
        labelledAt: each.labelledAt.map(place),
        unlabelledAt: each.unlabelledAt.map(place),
      })),
    },
    duplicates: {
      ...duplicates,
      examples: duplicates.examples.map((each) => ({ ...each, first: place(each.first), other: place(each.other) })),
    },
  };
}
