import { describe, expect, it } from "vitest";
import { queueAddress, withoutPassword } from "./address.ts";

describe("the address of a queue", () => {
  it("has a host, a port, a database, a user and a password, of which messages show no password", () => {
    const found = queueAddress("rediss://ann:s%40fe@queue.example:7000/3");
    expect(found).toEqual({
      host: "queue.example",
      port: 7000,
      db: 3,
      username: "ann",
      password: "s@fe",
      tls: true,
      shown: "rediss://ann@queue.example:7000/3",
    });
  });

  it("takes the password from elsewhere when it has none", () => {
    expect(queueAddress("redis://[::1]", "elsewhere")).toMatchObject({
      host: "::1",
      port: 6379,
      password: "elsewhere",
    });
    expect(queueAddress("redis://:own@h", "elsewhere").password).toBe("own");
  });

  it.each(["queue:6379", "http://h:1", "redis://", "redis://h/name", ""])("%j is none", (text) => {
    expect(() => queueAddress(text)).toThrow("--queue: expected redis://");
  });

  it("takes its password out of whatever others say, as it is and as it stands in an address", () => {
    const address = queueAddress("redis://:s%40fe@h");
    expect(withoutPassword("bad s@fe in redis://:s%40fe@h", address)).toBe("bad *** in redis://:***@h");
  });
});
