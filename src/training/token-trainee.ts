import { type TokenItem, tokenBatch } from "../models/token-batch.ts";
import { tokenItems } from "../models/token-items.ts";
import { tokenModel } from "../models/token-model.ts";
import { tokenState } from "../models/token-states.ts";
import { makeObjective } from "../objectives/index.ts";
import { InputError } from "../util/errors.ts";
import { outsideValues } from "./outside-values.ts";
import { runtimeOf } from "./settings.ts";
import type { OpenTrainee, SettingsOf } from "./trainee.ts";

/** A token tagger in training: every token has its tag, O where nothing else is known, or none. */
export const tokenTrainee: OpenTrainee<"token"> = (data, encoder, types, settings, { exploring, removed }) => {
  refuseOtherParts(settings);
  const { name: _, ...chosen } = settings.model;
  // What is looked for is how the plain model sees the tokens.
  const model = tokenModel(encoder, types, exploring ? { ...chosen, non: { ...chosen.non, rate: 0 } } : chosen);
  const { items, dropped } = tokenItems(data, types, model.tagSet, removed);
  refuseNoOutside(items, settings);
  const objective = makeObjective(settings.objective, settings.contrastive);
  return {
    model,
    sizes: items.map(({ sentence }) => encoder.size(sentence)),
    knowsHidden: data.hidden !== undefined,
    leftOut: [
      {
        count: dropped,
        reason: "within or across longer ones and left out: a token has one tag (model=span has no such limit)",
      },
    ],
    graph: () => ({
      loss: model.training({
        objective,
        reduction: settings.objective.reduction,
        open: items.some(({ states }) => states.some((state) => isOpen(state, settings))),
        removed: removed.length > 0,
      }),
      watched: {},
    }),
    batch(members, visit) {
      const { batch, counts } = tokenBatch(
        members.map((member) => items[member]!),
        model,
        visit,
      );
      return { batch, counts: () => counts };
    },
    outsideValues: (store) =>
      outsideValues(model, store, settings.model.unknown === "outside" ? items : [], {
        kind: settings.explore.value,
        batchTokens: settings.batchTokens,
        runtime: runtimeOf(settings),
      }),
  };
};

function isOpen(state: number, { model }: SettingsOf<"token">): boolean {
  return state === tokenState.excluded || (state === tokenState.unknown && model.unknown === "any");
}

/** Parts of a recipe that have no meaning for tokens are refused, never passed over. */
function refuseOtherParts({ model, sampler, objective, contrastive, inference, explore }: SettingsOf<"token">): void {
  const refuse = (rule: string): never => {
    throw new InputError(`model token: ${rule}`);
  };
  if (sampler.name !== "all") refuse(`trains all tokens, so sampler must be "all", got "${sampler.name}"`);
  if (inference.name !== "plain") refuse(`inference must be "plain", got "${inference.name}"`);
  if (model.output === "crf" && objective.name !== "cross-entropy")
    refuse(`objective must be "cross-entropy" with output=crf, got "${objective.name}" (output=softmax takes others)`);
  if (model.output === "crf" && contrastive.weight > 0)
    refuse("the contrastive loss needs output=softmax, got output=crf");
  if (explore.epochs > 0 && explore.value === "angle" && model.head !== "angle")
    refuse('explore.value "angle" needs head=angle, got head=linear (others: centered, logprob, raw)');
}

/** If no token were known to be outside, the best model would call everything an entity. */
function refuseNoOutside(items: readonly TokenItem[], { model }: SettingsOf<"token">): void {
  if (model.unknown === "outside") return;
  if (items.some(({ states }) => states.includes(tokenState.negative))) return;
  throw new InputError(
    "model token: with unknown=any some text must be known to hold no entity, and all is unknown here; declare parts complete (--silence negative for a file that is) or take unknown=outside",
  );
}
