import { z } from 'zod'
import type { FieldValues, ResolverResult } from 'react-hook-form'

/** A resolver's answer: what is ready, or what is wrong with which field. */
export function checked<Values extends FieldValues>(
  ready: Values,
  wrong: readonly (readonly [string, string])[],
): ResolverResult<Values, Values> {
  if (wrong.length === 0) return { values: ready, errors: {} }
  const errors = Object.fromEntries(wrong.map(([name, message]) => [name, { type: 'check', message }]))
  return { values: {}, errors: errors as ResolverResult<Values>['errors'] }
}

/** As the contract judges it. */
export const isEmail = (text: string): boolean => z.email().safeParse(text).success
