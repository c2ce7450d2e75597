/** The straight line through samples, by least squares: how much `y` grows with each `x`. */
export function slope(samples: readonly (readonly [x: number, y: number])[]): number {
  const count = samples.length
  if (count < 2) return 0
  const mean = (of: 0 | 1): number => samples.reduce((sum, each) => sum + each[of], 0) / count
  const [meanX, meanY] = [mean(0), mean(1)]
  const spread = samples.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  return spread === 0 ? 0 : samples.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread
}
