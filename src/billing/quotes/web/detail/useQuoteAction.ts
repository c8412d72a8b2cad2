import { useQueryClient } from '@tanstack/react-query'
import { codeOf, messageOf, orpc, statusOf } from '../../../../ui/client/api.ts'
import { type ActionFormOptions, useActionForm } from '../../../../ui/forms/useActionForm.ts'
import type { QuoteData } from '../quote-data.ts'
import { useQuoteCache } from '../useQuotes.ts'

/** The form of what is done with a quote: shows the quote as it is afterwards, and what it is now after a refusal. */
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
    onRefused(error, problems) {
      void cache.invalidateQueries({ queryKey: orpc.quotes.key() })
      if (statusOf(error) === 0) return { form: 'The connection was lost. It is safe to try again: it is done once, never twice.' }
      // The dialogs draw the fields of a wrong reference; what else is refused is about the whole quote.
      return codeOf(error) === 'INVALID_REFERENCE' || codeOf(error) === 'INVALID_INPUT' ? problems : { form: messageOf(error) }
    },
  })
}
