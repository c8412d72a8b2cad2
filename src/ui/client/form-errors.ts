import { ORPCError } from '@orpc/client'
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'

/** The messages that a refusal carries for single fields: `data.fields`, { path: message }. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  if (!(error instanceof ORPCError)) return {}
  const data: unknown = error.data
  if (typeof data !== 'object' || data === null || !('fields' in data)) return {}
  const { fields } = data
  if (typeof fields !== 'object' || fields === null) return {}
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** Puts a refusal's messages under the fields they belong to and the focus into the first. False when there was none to place. */
export function applyFieldErrors<In extends FieldValues, Out>(form: UseFormReturn<In, unknown, Out>, error: unknown): boolean {
  const messages = Object.entries(fieldErrorsOf(error)).filter(([path]) => path in form.getValues())
  messages.forEach(([path, message], index) => {
    form.setError(path as FieldPath<In>, { type: 'server', message }, { shouldFocus: index === 0 })
  })
  return messages.length > 0
}
