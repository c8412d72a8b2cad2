import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { fieldErrorsOf } from './refusal.ts'

/** Puts a refusal's messages under the fields they belong to and the focus into the first. False when there was none to place. */
export function applyFieldErrors<In extends FieldValues, Out>(form: UseFormReturn<In, unknown, Out>, error: unknown): boolean {
  const messages = Object.entries(fieldErrorsOf(error)).filter(([path]) => path in form.getValues())
  messages.forEach(([path, message], index) => {
    form.setError(path as FieldPath<In>, { type: 'server', message }, { shouldFocus: index === 0 })
  })
  return messages.length > 0
}
