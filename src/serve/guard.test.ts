import { describe, expect, it } from "vitest";
import { hostGuard, isLoopback, tokenGuard } from "./guard.ts";

describe("a token", () => {
  const guard = tokenGuard("abc.DEF-1");
  it.each(["Bearer abc.DEF-1", "bearer abc.DEF-1", "BEARER   abc.DEF-1 "])("is taken as %j", (given) => {
    expect(() => guard(given)).not.toThrow();
  });
  it.each([
    undefined,
    "",
    "abc.DEF-1",
    "Bearer",
    "Bearer abc.DEF-",
    "Bearer abc.def-1",
    "Basic abc.DEF-1",
    "Bearer abc.DEF-1 x",
  ])("is missing from %j", (given) => {
    expect(() => guard(given)).toThrow("send the token of the server");
  });
});

describe("a loopback server", () => {
  const guard = hostGuard(["Entities.Local"]);
  it.each(["localhost", "localhost:8080", "127.0.0.1:1", "127.1.2.3", "[::1]:8080", "LOCALHOST", "entities.local:80"])(
    "may be called %s",
    (host) => {
      expect(() => guard(host)).not.toThrow();
    },
  );
  it.each([
    undefined,
    "",
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example:80",
    "127.0.0.1@evil.example",
  ])("may not be called %s", (host) => {
    expect(() => guard(host)).toThrow("localhost only");
  });
  it("is one that listens on the machine itself", () => {
    expect(["127.0.0.1", "::1", "localhost", "127.9.9.9"].map(isLoopback)).toEqual([true, true, true, true]);
    expect(["0.0.0.0", "::", "10.0.0.1", "example.org", "1270.0.0.1"].map(isLoopback)).toEqual(Array(5).fill(false));
  });
});
