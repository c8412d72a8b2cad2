/** QuickBooks' query language: like SQL with single conditions joined by AND; there is no OR. */

/** Text in quotes. A backslash and an apostrophe are escaped, so that no input ends the string. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** A condition `field LIKE '%text%'`: % is the only wildcard and has no escape, so the caller compares again where the text holds one. */
export const contains = (field: string, text: string): string => `${field} LIKE ${quoted(`%${text}%`)}`

/** As many as QuickBooks gives at a time. */
export const maxQueryResults = 1_000

export type Page = {
  where?: readonly string[]
  orderBy?: string
  /** From 1. */
  start?: number
  most?: number
}

export function selectFrom(entity: string, { where = [], orderBy = 'Id', start = 1, most = maxQueryResults }: Page): string {
  const conditions = where.length > 0 ? ` WHERE ${where.join(' AND ')}` : ''
  return `SELECT * FROM ${entity}${conditions} ORDERBY ${orderBy} STARTPOSITION ${start} MAXRESULTS ${most}`
}
