import { styleText } from 'node:util'

/** Emphasis for one stream; plain text where colors are not wanted. */
export interface Style {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  yellow(text: string): string
  cyan(text: string): string
}

type Emphasis = keyof Style

/** Colors stand only in a terminal that has them, and not with `--no-color` or `NO_COLOR`. */
export function styleFor(stream: NodeJS.WriteStream, allowed: boolean): Style {
  const colored = allowed && stream.isTTY === true && stream.hasColors()
  const as =
    (emphasis: Emphasis) =>
    (text: string): string =>
      colored ? styleText(emphasis, text) : text
  return { bold: as('bold'), dim: as('dim'), red: as('red'), yellow: as('yellow'), cyan: as('cyan') }
}
