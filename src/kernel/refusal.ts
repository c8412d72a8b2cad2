import { ORPCError } from '@orpc/server'

/** An expected refusal by a service, as opposed to an error: a code listed in the contract, with its data. */
export type Refusal<Code extends string = string, Data = undefined> = { refusal: Code; data: Data; message?: string }

/**
 * What a service returns instead of a result. `null` stands for NOT_FOUND, so a query that finds nothing needs no refusal.
 *
 *   return refuse('NAME_TAKEN')
 *   return refuse('TOO_MUCH', { openCents, fields: { amountCents: messages.tooMuch } })
 */
export function refuse<const Code extends string>(refusal: Code): Refusal<Code>
export function refuse<const Code extends string, Data>(refusal: Code, data: Data, message?: string): Refusal<Code, Data>
export function refuse(refusal: string, data?: unknown, message?: string): Refusal<string, unknown> {
  return { refusal, data, ...(message !== undefined && { message }) }
}

/** Refuses fields that refer to something that does not exist or is no longer active, by path. */
export const invalidReference = (fields: Record<string, string>) => refuse('INVALID_REFERENCE', { fields })

export const isRefusal = <Result>(result: Result): result is Extract<Result, Refusal<string, unknown>> =>
  typeof result === 'object' && result !== null && 'refusal' in result

type RefusalOf<Result> = Extract<Result, Refusal<string, unknown>>
type DataOf<Refused, Code> = Refused extends Refusal<infer Codes, infer Data> ? (Code extends Codes ? Data : never) : never

/**
 * The errors that a contract must list for a service's refusals. FORBIDDEN and UNAUTHORIZED need no listing: every call can answer them.
 */
type ErrorsFor<Result> = {
  [Code in Exclude<RefusalOf<Result>['refusal'], 'FORBIDDEN' | 'UNAUTHORIZED'>]: (options: {
    data: DataOf<RefusalOf<Result>, Code>
    message?: string
  }) => Error
} & (null extends Result ? { NOT_FOUND: () => Error } : unknown)

/** A service's result; its refusals and `null` become the errors of the contract, and are thrown. */
export function unwrap<Result>(result: Result, errors: ErrorsFor<Result>): Exclude<Result, RefusalOf<Result> | null> {
  const constructors = errors as Record<string, (options?: object) => Error>
  if (result === null) throw constructors.NOT_FOUND!()
  if (!isRefusal(result)) return result as Exclude<Result, RefusalOf<Result> | null>
  const { refusal, ...options } = result
  throw constructors[refusal]?.(options) ?? new ORPCError(refusal)
}
