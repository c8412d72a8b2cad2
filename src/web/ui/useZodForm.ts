import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, type DefaultValues, type FieldValues, type UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'

/**
 * A form over a Zod schema from a contract: checked on submit, then live once an error shows; the first wrong field gets the focus.
 * Values that the user cannot clear start as '' rather than undefined, so that inputs stay controlled.
 */
export function useZodForm<In extends FieldValues, Out>(options: {
  schema: z.ZodType<Out, In>
  defaultValues: DefaultValues<In>
}): UseFormReturn<In, unknown, Out> {
  return useForm<In, unknown, Out>({
    resolver: zodResolver<In, unknown, Out>(options.schema),
    defaultValues: options.defaultValues,
    mode: 'onSubmit',
    reValidateMode: 'onChange',
  })
}
