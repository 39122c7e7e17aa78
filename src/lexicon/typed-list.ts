/** A typed array that grows by doubling. */
export interface TypedList<T extends Int32Array | Uint16Array> {
  /** Valid up to `length`; another array after the list has grown. */
  values: T;
  length: number;
  push(value: number): void;
  append(values: T): void;
}

export function int32List(): TypedList<Int32Array> {
  return typedList((length) => new Int32Array(length));
}

export function uint16List(): TypedList<Uint16Array> {
  return typedList((length) => new Uint16Array(length));
}

function typedList<T extends Int32Array | Uint16Array>(allocate: (length: number) => T): TypedList<T> {
  const list: TypedList<T> = {
    values: allocate(1024),
    length: 0,
    push(value) {
      if (list.length === list.values.length) grow(list.length + 1);
      list.values[list.length++] = value;
    },
    append(values) {
      if (list.length + values.length > list.values.length) grow(list.length + values.length);
      list.values.set(values, list.length);
      list.length += values.length;
    },
  };
  const grow = (needed: number): void => {
    const values = allocate(Math.max(needed, 2 * list.values.length));
    values.set(list.values);
    list.values = values;
  };
  return list;
}
