/** Numbers by job, client, key and metric. One generation is one process of each client; it counts with the median of its slices. */
export class Samples {
  #generations = new Map()
  #failures = new Map()
  #notes = new Map()

  /** @param slices the numbers of every slice of one process: `{ cpu, wall, … }[]` */
  add(job, client, key, generation, slices) {
    const id = `${job}/${client}/${key}`
    if (!this.#generations.has(id)) this.#generations.set(id, new Map())
    const middle = {}
    for (const metric of Object.keys(slices[0])) middle[metric] = median(slices.map((slice) => slice[metric]))
    this.#generations.get(id).set(generation, middle)
  }

  /** How many generations of a job there are, and so the number of the next. */
  generation(job) {
    const counts = [...this.#generations]
      .filter(([id]) => id.startsWith(`${job}/`))
      .map(([, generations]) => Math.max(...generations.keys()) + 1)
    return Math.max(0, ...counts)
  }

  /** A client that cannot do a job: its first failure is what the report says. */
  fail(job, client, message) {
    if (!this.#failures.has(`${job}/${client}`)) this.#failures.set(`${job}/${client}`, message)
  }

  failure(job, client) {
    return this.#failures.get(`${job}/${client}`)
  }

  skip(job, why) {
    this.#notes.set(job, why)
  }

  skipped(job) {
    return this.#notes.get(job)
  }

  median(job, client, key, metric) {
    const values = [...(this.#generations.get(`${job}/${client}/${key}`)?.values() ?? [])].map((middle) => middle[metric])
    return values.length > 0 ? median(values) : undefined
  }

  /** Everything as plain data, for the file from which the report can be made again. */
  toJSON() {
    const numbers = Object.fromEntries([...this.#generations].map(([id, generations]) => [id, [...generations.values()]]))
    return { numbers, failures: Object.fromEntries(this.#failures), skipped: Object.fromEntries(this.#notes) }
  }

  static fromJSON({ numbers, failures, skipped }) {
    const samples = new Samples()
    for (const [id, generations] of Object.entries(numbers)) samples.#generations.set(id, new Map(generations.entries()))
    samples.#failures = new Map(Object.entries(failures))
    samples.#notes = new Map(Object.entries(skipped))
    return samples
  }

  /** The median of the ratios of generations that ran side by side: steadier than the ratio of the two medians when a machine changes speed. */
  ratio(job, client, over, key, metric, overJob = job) {
    const own = this.#generations.get(`${job}/${client}/${key}`) ?? new Map()
    const other = this.#generations.get(`${overJob}/${over}/${key}`) ?? new Map()
    const ratios = [...own].flatMap(([generation, middle]) =>
      other.has(generation) ? [middle[metric] / other.get(generation)[metric]] : [],
    )
    return ratios.length > 0 ? median(ratios) : undefined
  }
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
