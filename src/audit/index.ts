export { type Suspicion, type SuspicionKind, suspicionKinds, suspicionSchema } from "./suspicion.ts";
