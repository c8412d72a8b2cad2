import { type InferClientErrors, isDefinedError } from '@orpc/client'
import { useQueryClient } from '@tanstack/react-query'
import { type Client, orpc, statusOf } from '../../../../ui/client/api.ts'
import { formatMoney } from '../../../../ui/format.ts'
import { type ActionFormOptions, type Problems, useActionForm } from '../../../../ui/forms/useActionForm.ts'
import type { AccountData } from '../account-data.ts'

type Errors = InferClientErrors<Client>['collections']

/** The form field that each refusal belongs to. */
const refusals = { PAST: 'dueOn', PLAN: 'plan', NO_RECEIPT: 'receipt', CREDITED: 'reason' }

function problemsOf(thrown: unknown, problems: Problems): Problems {
  const error = thrown as Errors[keyof Errors]
  if (isDefinedError(error) && error.code === 'TOO_MUCH') {
    const { openCents } = error.data
    return { amount: openCents > 0 ? `At most ${formatMoney(openCents)} is outstanding` : 'Nothing is outstanding' }
  }
  if (statusOf(thrown) === 0) return { form: 'The connection was lost. It’s safe to try again: nothing is saved twice.' }
  return problems
}

/** The form of one account action. Shows the updated account afterwards, and refetches it after a refusal. */
export function useAccountAction<Values extends object>(
  { contactId, onClose }: { contactId: string; onClose: () => void },
  options: Pick<ActionFormOptions<Values, AccountData>, 'initial' | 'check' | 'send' | 'done'>,
) {
  const cache = useQueryClient()
  return useActionForm<Values, AccountData>({
    ...options,
    refusals,
    onDone(account) {
      cache.setQueryData(orpc.collections.account.queryKey({ input: { contactId } }), account)
      void cache.invalidateQueries({ queryKey: orpc.collections.outstanding.key() })
      onClose()
    },
    onRefused(error, problems) {
      void cache.invalidateQueries({ queryKey: orpc.collections.key() })
      return problemsOf(error, problems)
    },
  })
}
