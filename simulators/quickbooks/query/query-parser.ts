/** QuickBooks' query language: SELECT with conditions joined by AND, without OR, JOIN, GROUP BY or a choice of columns. */
import { validationFault } from '../refusal.ts'

/** `pattern`, for LIKE: the text, with unescaped percent signs as `undefined`. */
export type Literal = { text: string; pattern: readonly (string | undefined)[] }
export type Condition = { field: string; operator: '=' | '<' | '>' | '<=' | '>=' | 'LIKE' | 'IN'; values: readonly Literal[] }
export type Query = {
  entity: string
  count: boolean
  where: readonly Condition[]
  order: readonly { field: string; descending: boolean }[]
  /** From 1. */
  start: number
  limit: number
}

type Token = { kind: 'word' | 'string' | 'number' | 'symbol' | 'end'; text: string; column: number }

const defaultLimit = 100
const maxLimit = 1000

/** @throws Refusal, code 4000, with the position of the syntax error. */
export function parseQuery(text: string): Query {
  if (text.trim() === '') throw validationFault(4000, 'QueryParserError: The query provided was empty')
  const reader = new Reader(tokensOf(text))
  reader.expect('SELECT')
  const count = reader.take('COUNT')
  if (count) reader.expect('(')
  reader.expect('*')
  if (count) reader.expect(')')
  reader.expect('FROM')
  const entity = reader.value('word').text

  const where: Condition[] = []
  if (reader.take('WHERE')) {
    do where.push(condition(reader))
    while (reader.take('AND'))
  }
  const order: { field: string; descending: boolean }[] = []
  if (reader.take('ORDERBY') || (reader.take('ORDER') && reader.expect('BY'))) {
    do {
      const field = reader.value('word').text
      const descending = reader.take('DESC')
      if (!descending) reader.take('ASC')
      order.push({ field, descending })
    } while (reader.take(','))
  }
  let start = 1
  let limit = defaultLimit
  for (;;) {
    if (reader.take('STARTPOSITION')) start = Math.max(1, Number(reader.value('number').text))
    else if (reader.take('MAXRESULTS')) limit = Math.max(0, Math.min(maxLimit, Number(reader.value('number').text)))
    else break
  }
  reader.end()
  return { entity, count, where, order, start, limit }
}

function condition(reader: Reader): Condition {
  const field = reader.value('word').text
  if (reader.take('IN')) {
    const values: Literal[] = []
    reader.expect('(')
    do values.push(literal(reader))
    while (reader.take(','))
    reader.expect(')')
    return { field, operator: 'IN', values }
  }
  for (const operator of ['LIKE', '=', '<=', '>=', '<', '>'] as const) {
    if (reader.take(operator)) return { field, operator, values: [literal(reader)] }
  }
  return reader.fail()
}

function literal(reader: Reader): Literal {
  const { kind, text } = reader.value('string', 'number', 'word')
  if (kind !== 'string') return { text, pattern: [text] }
  const pattern: (string | undefined)[] = []
  let plain = ''
  for (const [part, escaped] of text.matchAll(/\\(.)|[^\\]/gsu)) {
    if (escaped === undefined && part === '%') {
      pattern.push(plain, undefined)
      plain = ''
    } else plain += escaped ?? part
  }
  pattern.push(plain)
  return { text: pattern.map((part) => part ?? '%').join(''), pattern }
}

class Reader {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get #next(): Token {
    return this.#tokens[Math.min(this.#at, this.#tokens.length - 1)] as Token
  }

  /** Consumes a keyword or symbol if it comes next. */
  take(text: string): boolean {
    const { kind } = this.#next
    const isNext = (kind === 'word' || kind === 'symbol') && this.#next.text.toUpperCase() === text
    if (isNext) this.#at++
    return isNext
  }

  expect(text: string): true {
    return this.take(text) || this.fail()
  }

  value(...kinds: Token['kind'][]): Token {
    const token = this.#next
    if (!kinds.includes(token.kind)) this.fail()
    this.#at++
    return token
  }

  end(): void {
    if (this.#next.kind !== 'end') this.fail()
  }

  fail(): never {
    const { kind, text, column } = this.#next
    const name = kind === 'end' ? '<EOF>' : / (and|or|in|like) /i.test(` ${text} `) ? `<${text.toUpperCase()}>` : '<IDENTIFIER>'
    throw validationFault(4000, `QueryParserError: Encountered " ${name} "${text} "" at line 1, column ${column}.`)
  }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  const tokenPattern = /\s*(?:'((?:\\.|[^'\\])*)'|([A-Za-z_][\w.]*)|(-?\d+(?:\.\d+)?)|(<=|>=|[=<>(),*]))/suy
  while (/\S/.test(text.slice(tokenPattern.lastIndex))) {
    const from = tokenPattern.lastIndex
    const match = tokenPattern.exec(text)
    if (!match) {
      const column = from + text.slice(from).search(/\S/) + 1
      const detail = `Invalid content. Lexical error at line 1, column ${column}.  Encountered: "${text[column - 1]}"`
      throw validationFault(4000, `QueryParserError: ${detail}`)
    }
    const [all, string, word, number, symbol] = match
    const column = from + all.search(/\S/) + 1
    if (string !== undefined) tokens.push({ kind: 'string', text: string, column })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word, column })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number, column })
    else tokens.push({ kind: 'symbol', text: symbol ?? '', column })
  }
  return [...tokens, { kind: 'end', text: '', column: text.length }]
}
