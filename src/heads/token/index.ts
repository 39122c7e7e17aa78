import { countStates, itemState, restriction, typeSets } from "../../text/index.ts";
import { InputError } from "../../util/errors.ts";
import type { Head } from "../head.ts";
import { tokenBatch } from "./batch.ts";
import { type TokenItem, tokenItems } from "./items.ts";
import { tokenModel } from "./model.ts";
import { type RoleOptions, tokenSupervision } from "./roles.ts";
import { type TokenSettings, tokenSettings } from "./settings.ts";

/** Gives every token a tag. */
export const tokenHead = {
  name: "token",
  description: "gives each token a tag; entities do not overlap",
  settings: tokenSettings,
  check({ output, prior }, { sampler, objective, contrastive, inference }) {
    const refuse = (rule: string): never => {
      throw new InputError(`head token: ${rule}`);
    };
    if (sampler !== "all") refuse(`trains all tokens, so sampler must be "all", got "${sampler}"`);
    if (inference !== "plain") refuse(`inference must be "plain", got "${inference}"`);
    if (output === "crf" && objective !== "cross-entropy")
      refuse(`objective must be "cross-entropy" with output=crf, got "${objective}" (output=softmax takes others)`);
    if (output !== "crf" && prior !== 1) refuse(`prior needs output=crf, got output=${output}`);
    if (output === "crf" && contrastive) refuse("the contrastive loss needs output=softmax, got output=crf");
  },
  open: tokenModel,
  train(corpus, encoder, types, settings, { objective }) {
    const model = tokenModel(encoder, types, settings);
    const sets = typeSets(types);
    const { items, dropped } = tokenItems(corpus, sets, model.tagSet);
    const options: RoleOptions = { tagSet: model.tagSet, sets, settings };
    refuseNoOutside(items, options);
    const supervision = { ...tokenSupervision(items, options), open: objective.wantsOpen ?? false };
    return {
      model,
      sizes: items.map(({ sentence }) => encoder.size(sentence)),
      sentences: items.map(({ sentence }) => sentence),
      counts: countStates(items.map(({ states }) => states)),
      knowsHidden: corpus.hidden !== undefined,
      leftOut: [
        {
          count: dropped,
          reason: "within or across longer ones and left out: a token has one tag (head=span has no such limit)",
        },
      ],
      graph: () => ({ loss: model.training({ objective, supervision }), watched: {} }),
      batch(members, visit) {
        const chosen = members.map((member) => items[member]!);
        const { batch, counts } = tokenBatch(chosen, encoder, options, supervision, visit);
        return { batch, counts: () => counts };
      },
    };
  },
} satisfies Head<TokenSettings>;

/** If some type were possible at every token without a label, the best model would find it everywhere. */
function refuseNoOutside(items: readonly TokenItem[], { sets, settings }: RoleOptions): void {
  if (settings.unknown === "outside" || settings.prior < 1) return;
  const found = new Set(items.flatMap(({ states }) => [...new Set(states)]));
  if (found.has(itemState.outside)) return;
  const excluded = [...found].map(restriction).filter((set) => set !== undefined);
  const open = sets.types.filter((_, type) => !excluded.some((set) => sets.has(set, type)));
  if (open.length === 0) return;
  throw new InputError(
    `head token: with unknown=any some text must be known to hold no entity, and nothing is known to be no ${open.join(", ")} here; declare parts complete (--complete FILE, --silence negative for a file that is), let open tokens lean towards O (--set head.prior=0.1) or take unknown=outside`,
  );
}
