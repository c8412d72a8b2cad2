import { z } from 'zod'
import { instant } from './dates.ts'

/*
 * The two kinds of paginated lists in the API (docs/decisions/page-lists.md). A contract uses one of them:
 *   .input(filters.extend(pages.input)) and .output(pages.output(row))
 */

interface Size {
  /** The default and maximum number of rows per page. */
  limit: number
  max: number
}

const limitOf = ({ limit, max }: Size) => z.coerce.number<number | string>().int().min(1).max(max).default(limit)

/** Maximum cursor length in characters; longer than any cursor of a list. */
const maxCursorLength = 4_000
const malformedCursor = 'This is not the nextCursor of a page'

/** Encodes a place as a URL-safe string: base64url of its JSON with non-ASCII characters escaped. */
export const encodeCursor = (place: unknown): string =>
  btoa(JSON.stringify(place).replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

function decodeCursor(cursor: string): unknown {
  try {
    return JSON.parse(atob(cursor.replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return undefined
  }
}

/**
 * A cursor list: a page starts after a place, so rows added in the meantime don't shift others between pages. Services
 * read and return places; API clients see them as cursors, which only the contract encodes and decodes.
 */
export function cursorPages<Place extends z.ZodType>(place: Place, size: Size) {
  const cursor = z
    .string(malformedCursor)
    .max(maxCursorLength, malformedCursor)
    .transform((text, context): z.output<Place> => {
      const found = place.safeParse(decodeCursor(text))
      if (found.success) return found.data
      context.addIssue({ code: 'custom', message: malformedCursor })
      return z.NEVER
    })
  const nextCursor = z
    .custom<z.output<Place> | null>()
    .transform((last) => (last === null ? null : encodeCursor(last)))
    .pipe(z.string().nullable().describe('The cursor of the page that follows; null when this is the last one'))
  return {
    input: {
      cursor: cursor.optional().describe('The nextCursor of the page before; none for the first page'),
      limit: limitOf(size),
    },
    output: <Row extends z.ZodType>(row: Row) => z.object({ data: z.array(row), nextCursor }),
  }
}

/** A list with numbered pages, with the field names of spec 7. */
export const numberedPages = (size: Size) => ({
  input: {
    page: z.coerce.number<number | string>().int().min(1).max(1_000_000).default(1),
    limit: limitOf(size),
  },
  output: <Row extends z.ZodType>(row: Row) =>
    z.object({
      data: z.array(row),
      total: z.number().int(),
      page: z.number().int(),
      limit: z.number().int(),
      totalPages: z.number().int(),
    }),
})

/** The place in a list ordered by instant and ID. `at`: ISO 8601 with microseconds, as in the database. */
export const instantPlace = z.strictObject({ at: z.string().refine((at) => instant.safeParse(at).success), id: z.uuid() })
export type InstantPlace = z.output<typeof instantPlace>

/** The place of a row whose instant was read with microseconds (kernel/postgres/cursors.ts). */
export const placeOf = ({ exact, id }: { exact: string; id: string }): InstantPlace => ({ at: exact, id })

/** The place in a list ordered by a unique number. */
export const numberPlace = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

/** Builds a page of a cursor list from its rows plus one if there are more. `placeOf`: the place of a row. */
export function cursorPage<Row, Place>(
  rows: readonly Row[],
  limit: number,
  placeOf: (last: Row) => Place,
): { data: Row[]; nextCursor: Place | null } {
  const data = rows.slice(0, limit)
  return { data, nextCursor: rows.length > limit ? placeOf(data.at(-1)!) : null }
}

/** Builds the response of a numbered list. */
export const numberedPage = <Found extends { total: number }>(found: Found, { page, limit }: { page: number; limit: number }) => ({
  ...found,
  page,
  limit,
  totalPages: Math.ceil(found.total / limit),
})
