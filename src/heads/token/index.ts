import { countStates, typeSets } from "../../text/index.ts";
import { InputError } from "../../util/errors.ts";
import type { Head } from "../head.ts";
import { refuseNoOutside } from "../no-outside.ts";
import { tokenBatch } from "./batch.ts";
import { tokenItems } from "./items.ts";
import { tokenModel } from "./model.ts";
import { type RoleOptions, tokenSupervision } from "./roles.ts";
import { type TokenSettings, tokenSettings } from "./settings.ts";

/** Gives every token a tag. */
export const tokenHead = {
  name: "token",
  description: "gives each token a tag; entities do not overlap",
  settings: tokenSettings,
  method: "two-step",
  trainsAll: true,
  takesCandidateTypes: ({ output }) => output === "crf",
  takesTargets: true,
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
    if (settings.unknown === "any" && settings.prior === 1)
      refuseNoOutside(
        "token",
        items.map(({ states }) => states),
        sets,
        ", let open tokens lean towards O (--set head.prior=0.1)",
      );
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
