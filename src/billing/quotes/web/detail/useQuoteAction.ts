import { useQueryClient } from '@tanstack/react-query'
import { orpc, statusOf } from '../../../../ui/client/api.ts'
import { type ActionFormOptions, useActionForm } from '../../../../ui/forms/useActionForm.ts'
import type { QuoteData } from '../quote-data.ts'
import { useQuoteCache } from '../useQuotes.ts'

/** The form of a quote action. Shows the updated quote afterwards, and refetches it after a refusal. */
export function useQuoteAction<Values extends object>(options: ActionFormOptions<Values, QuoteData>) {
  const cache = useQueryClient()
  const keep = useQuoteCache()
  return useActionForm<Values, QuoteData>({
    ...options,
    onDone(after, values) {
      keep(after)
      void cache.invalidateQueries({ queryKey: orpc.collections.key() })
      options.onDone?.(after, values)
    },
    onRefused(error, problems, values) {
      void cache.invalidateQueries({ queryKey: orpc.quotes.key() })
      const isLost = statusOf(error) === 0
      if (isLost) return { form: 'The connection was lost. It’s safe to try again: nothing is done twice.' }
      return options.onRefused?.(error, problems, values) ?? problems
    },
  })
}
