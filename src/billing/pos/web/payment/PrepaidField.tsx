import { useMutation, useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { codeOf, messageOf, orpc } from '../../../../ui/client/api.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { formatMoney } from '../../../../ui/format.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { type PrepaidChoice, spreadPrepaid } from './prepaid.ts'

interface PrepaidFieldProps {
  chosen: readonly PrepaidChoice[]
  /** In cents. */
  total: number
  contactId: string | null
  onChange: (chosen: readonly PrepaidChoice[]) => void
}

/** Gift cards by their codes, and the patient's store credit. They pay first, in this order; the payment method pays the rest. */
export function PrepaidField({ chosen, total, contactId, onChange }: PrepaidFieldProps) {
  const may = usePermission()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string | undefined>()
  const own = useQuery(
    orpc.prepaid.ofContact.queryOptions({ input: { contactId: contactId ?? '' }, enabled: contactId !== null && may('prepaid.ofContact') }),
  )
  const credits = (own.data ?? []).filter(
    ({ id, kind, balanceCents }) => kind === 'credit' && balanceCents > 0 && chosen.every(({ accountId }) => accountId !== id),
  )
  const lookUp = useMutation(
    orpc.prepaid.giftCard.mutationOptions({
      onSuccess({ last4, balanceCents }, { code: typed }) {
        if (balanceCents === 0) return setProblem('Nothing is left on this gift card')
        const label = `Gift card ending in ${last4}`
        if (chosen.some((one) => one.label === label)) return setProblem('This gift card is already used')
        setCode('')
        onChange([...chosen, { label, code: typed, balanceCents }])
      },
      onError: (error) => setProblem(codeOf(error) === 'NOT_FOUND' ? 'No gift card has this code' : messageOf(error)),
    }),
  )
  function apply() {
    if (code.trim() === '' || lookUp.isPending) return
    setProblem(undefined)
    lookUp.mutate({ code: code.trim() })
  }
  const { paid } = spreadPrepaid(chosen, total)
  return (
    <div className="flex flex-col gap-2">
      <Field label="Gift card" optional error={problem}>
        <div className="flex gap-2">
          <Input
            value={code}
            onChange={({ target }) => {
              setCode(target.value)
              setProblem(undefined)
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
              event.preventDefault()
              apply()
            }}
            maxLength={40}
            autoComplete="off"
            spellCheck={false}
            placeholder="K7QM-2XRW-9PHD-4TLC"
            className="min-w-0 flex-1"
          />
          <Button
            busy={lookUp.isPending}
            busyLabel="Checking…"
            disabled={code.trim() === ''}
            onClick={apply}
            className="max-md:h-11 md:h-9"
          >
            Apply
          </Button>
        </div>
      </Field>
      {credits.map(({ id, balanceCents }) => (
        <Button
          key={id}
          onClick={() => onChange([...chosen, { label: 'Store credit', accountId: id, balanceCents }])}
          className="self-start tabular-nums"
        >
          Use store credit ({formatMoney(balanceCents)})
        </Button>
      ))}
      {chosen.length > 0 && (
        <ul aria-label="Paid with gift cards and credit" className="text-sm">
          {chosen.map((choice, index) => (
            <li key={choice.label} className="flex min-h-8 items-center gap-2 py-1">
              <span className="min-w-0 flex-1 text-fg-2">
                {choice.label}
                <span className="block text-xs text-fg-3 tabular-nums">{formatMoney(choice.balanceCents - paid[index]!)} will be left</span>
              </span>
              <span className="text-fg tabular-nums">{formatMoney(paid[index]!)}</span>
              <IconButton
                label={`Remove ${choice.label}`}
                icon={<X />}
                size="sm"
                onClick={() => onChange(chosen.filter((one) => one !== choice))}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
