import { completeSettings } from "../methods/index.ts";
import { packCounts } from "./counts.ts";
import { type PlannedRun, plannedRuns } from "./grid.ts";
import type { MeasuredRun } from "./measured.ts";
import type { Result } from "./results.ts";
import { parseStudy, type Study, type StudyInput } from "./study.ts";

/** A study of two methods, two rates and two seeds on one data set, unless told otherwise. */
export function makeStudy(parts: Partial<StudyInput> = {}): Study {
  const study: StudyInput = {
    title: "A study",
    purpose: "To be tested.",
    data: { toy: { folder: "toy", title: "Toy" } },
    settings: { encoder: "bilstm", epochs: 3 },
    axes: { method: { ce: { method: "ce" }, uniform: { method: "uniform" } } },
    rates: [0.5, 0.8],
    seeds: [1, 2],
    ...parts,
  };
  return parseStudy(study, "study.yaml");
}

export function runsOf(study: Study): PlannedRun[] {
  return plannedRuns(study, "study.yaml");
}

/** A result of a run in which each test sentence has ten entities, of which so many were found, and nothing else. */
export function makeResult({ place, settings, files, masking }: PlannedRun, found: readonly number[]): Result {
  const correct = found.reduce((a, b) => a + b, 0);
  const gold = 10 * found.length;
  const f1 = (2 * correct) / (correct + gold);
  const score = { precision: 1, recall: correct / gold, f1, support: gold };
  return {
    study: "toy",
    place,
    settings: completeSettings(settings),
    files,
    hashes: { train: ["a"], dev: "b", test: "c" },
    masking,
    date: "2026-01-01",
    version: "0.0.0",
    train: { sentences: 5, entities: 7, hidden: 3 },
    parameters: { all: 2_500_000, words: 1_000_000 },
    bestEpoch: 2,
    dev: { ...score, byType: { A: score } },
    test: { ...score, byType: { A: score } },
    counts: packCounts(found.map((count) => ({ correct: count, predicted: count, gold: 10 }))),
    epochs: [1, 2].map((epoch) => ({
      epoch,
      loss: 1 / epoch,
      precision: 1,
      recall: 0.5,
      f1: epoch / 4,
      negatives: 9,
      missampling: 0.01 * epoch,
    })),
    seconds: 60,
    memory: 2 ** 20,
  };
}

/** Every run of a study with a result; `found` says how many entities it found in each sentence. */
export function measureAll(study: Study, found: (place: PlannedRun["place"]) => readonly number[]): MeasuredRun[] {
  return runsOf(study).map((run) => ({ place: run.place, result: makeResult(run, found(run.place)) }));
}
