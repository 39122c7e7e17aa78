import { itemState, restriction, type TypeSets } from "../text/index.ts";
import { InputError } from "../util/errors.ts";

/** With unknown=any: if some type were possible wherever nothing is labelled, the best model would find it everywhere. */
export function refuseNoOutside(head: string, states: readonly Int16Array[], sets: TypeSets, remedy = ""): void {
  const found = new Set(states.flatMap((each) => [...new Set(each)]));
  if (found.has(itemState.outside)) return;
  const excluded = [...found].map(restriction).filter((set) => set !== undefined);
  const open = sets.types.filter((_, type) => !excluded.some((set) => sets.has(set, type)));
  if (open.length === 0) return;
  throw new InputError(
    `head ${head}: with unknown=any some text must be known to hold no entity, and nothing is known to be no ${open.join(", ")} here; declare parts complete (--complete FILE, --silence negative for a file that is)${remedy} or take unknown=outside`,
  );
}
