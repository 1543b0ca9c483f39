// Places in ascending lists.

/** The last index whose value is not above x; 0 if all are. */
export function below(list: ArrayLike<number>, x: number): number {
  let low = 0, high = list.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (list[middle] <= x) low = middle;
    else high = middle;
  }
  return low;
}

export function nearest(list: ArrayLike<number>, x: number): number {
  const i = below(list, x);
  return i + 1 < list.length && list[i + 1] - x < x - list[i] ? i + 1 : i;
}
