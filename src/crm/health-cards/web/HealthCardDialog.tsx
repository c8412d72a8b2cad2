import { useQueryClient } from '@tanstack/react-query'
import { client, orpc } from '../../../ui/client/api.ts'
import { Input } from '../../../ui/controls/Input.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { problemsIn, useActionForm } from '../../../ui/forms/useActionForm.ts'
import { cardFields } from '../contract.ts'
import { maskNumber, maxTypedLength, type Province, provinceCodes, provinces } from '../rules.ts'
import type { HealthCardData } from './embed/useHealthCard.ts'

interface HealthCardDialogProps {
  contactId: string
  /** The card to replace, if there is one. */
  card: HealthCardData | null
  onClose: () => void
}

/** Adds or replaces a health card. The stored number is not loaded, so it is typed in full. */
export default function HealthCardDialog({ contactId, card, onClose }: HealthCardDialogProps) {
  const cache = useQueryClient()
  const province: Province = card?.province ?? 'ON'
  const form = useActionForm({
    initial: { number: '', versionCode: card?.versionCode ?? '', province },
    check: (values) => problemsIn(cardFields, values),
    send: (values) => client.healthCards.set({ contactId, version: card?.version ?? 0, ...values }),
    done: card ? 'Health card changed' : 'Health card added',
    onDone(state) {
      cache.setQueryData(orpc.healthCards.get.queryKey({ input: { contactId } }), state)
      onClose()
    },
    onRefused: () => void cache.invalidateQueries({ queryKey: orpc.healthCards.get.key({ input: { contactId } }) }),
  })
  const isOntario = form.values.province === 'ON'
  return (
    <ActionDialog
      title={card ? 'Edit health card' : 'Add health card'}
      description={card ? `Replaces ${maskNumber(card.lastDigits)}` : undefined}
      form={form}
      action={{ label: card ? 'Save health card' : 'Add health card' }}
      onClose={onClose}
    >
      <div className="grid grid-cols-[minmax(0,1fr)_9rem] gap-x-4 gap-y-4">
        <Field label="Number" error={form.problems.number} hint={isOntario ? 'Ten digits' : '6 to 12 letters and digits'}>
          <Input
            {...form.text('number')}
            inputMode={isOntario ? 'numeric' : 'text'}
            autoComplete="off"
            maxLength={maxTypedLength}
            className="tabular-nums"
          />
        </Field>
        {isOntario && (
          <Field label="Version code" optional error={form.problems.versionCode}>
            <Input {...form.text('versionCode')} autoComplete="off" autoCapitalize="characters" maxLength={2} />
          </Field>
        )}
        <Field label="Province or territory" error={form.problems.province} className="col-span-2">
          <Select
            value={form.values.province}
            // Other provinces' cards have no version code.
            onValueChange={(province) => province && form.set({ province, ...(province !== 'ON' && { versionCode: '' }) })}
            options={provinceCodes.map((value) => ({ value, label: provinces[value] }))}
          />
        </Field>
      </div>
    </ActionDialog>
  )
}
