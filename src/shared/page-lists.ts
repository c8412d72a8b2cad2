import { z } from 'zod'
import { instant } from './dates.ts'

/*
 * The two shapes of a list that the API gives out a page at a time (docs/decisions/page-lists.md). A contract takes one of them for its call:
 *   .input(filters.extend(pages.input)) and .output(pages.output(row))
 */

interface Size {
  /** Rows of a page where the caller names no limit, and at most. */
  limit: number
  max: number
}

const limitOf = ({ limit, max }: Size) => z.coerce.number<number | string>().int().min(1).max(max).default(limit)

/** Longer than any cursor that a list gives out, in characters. */
const maxCursorLength = 4_000
const malformedCursor = 'This is not the nextCursor of a page'

/** A place as a URL-safe string: base64url of its JSON, in which what is not ASCII is escaped. */
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
 * A list that is walked: a page is what comes after a place. What is added while someone walks it moves no row from one page to another. Services
 * read and answer places; the API's clients see them as cursors, which only the contract encodes and decodes.
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

/** A list whose screen shows numbered pages, in the words of spec 7. */
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

/** Where a list that is ordered by an instant and an id goes on. `at`: ISO 8601 to the microsecond, as the database keeps it. */
export const instantPlace = z.strictObject({ at: z.string().refine((at) => instant.safeParse(at).success), id: z.uuid() })
export type InstantPlace = z.output<typeof instantPlace>

/** Of a row whose instant was read to the microsecond (kernel/postgres/places.ts). */
export const placeOf = ({ exact, id }: { exact: string; id: string }): InstantPlace => ({ at: exact, id })

/** Where a list goes on that is ordered by a number that each row has to itself. */
export const numberPlace = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

/** A page of a list that is walked, from its rows and one more where there are more. `placeOf`: the place of the page's last row. */
export function cursorPage<Row, Place>(
  rows: readonly Row[],
  limit: number,
  placeOf: (last: Row) => Place,
): { data: Row[]; nextCursor: Place | null } {
  const data = rows.slice(0, limit)
  return { data, nextCursor: rows.length > limit ? placeOf(data.at(-1)!) : null }
}

/** What was found of a numbered list, as the answer says it. */
export const numberedPage = <Found extends { total: number }>(found: Found, { page, limit }: { page: number; limit: number }) => ({
  ...found,
  page,
  limit,
  totalPages: Math.ceil(found.total / limit),
})
