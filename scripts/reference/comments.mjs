import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const source = fileURLToPath(new URL("../../src", import.meta.url));
const known = new Map();

/** What the comment on a setting says, in the first of these files below src/ that has one. */
export function commentOn(setting, files) {
  for (const file of files.filter((name) => existsSync(join(source, name)))) {
    const comment = commentsIn(file).get(setting);
    if (comment !== undefined) return comment.replaceAll(/\s+/g, " ");
  }
  throw new Error(`the setting ${setting} has no comment in ${files.join(", ")}`);
}

/** The comments on the properties of all object literals of a file. */
function commentsIn(file) {
  if (!known.has(file)) {
    const comments = new Map();
    const tree = ts.createSourceFile(file, readFileSync(join(source, file), "utf8"), ts.ScriptTarget.ESNext, true);
    const visit = (node) => {
      if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) {
        const [comment] = ts.getJSDocCommentsAndTags(node);
        const name = node.name.getText(tree);
        if (comment && !comments.has(name)) comments.set(name, ts.getTextOfJSDocComment(comment.comment));
      }
      ts.forEachChild(node, visit);
    };
    visit(tree);
    known.set(file, comments);
  }
  return known.get(file);
}
