import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { centsToText, textToCents } from '../../../shared/money.ts'
import { client, orpc } from '../../../ui/client/api.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxLine } from '../../../ui/Checkbox.tsx'
import { ActionDialog } from '../../../ui/ActionDialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import { MoneyInput } from '../../../ui/MoneyInput.tsx'
import { Select } from '../../../ui/Select.tsx'
import { useAction } from '../../../ui/useAction.ts'
import { maxProcedureLength, type Procedure, procedureColours, procedureMessages, shortestProcedure } from '../contract.ts'
import { DeleteProcedure } from './DeleteProcedure.tsx'
import { ProcedureDot } from './embed/ProcedureDots.tsx'

interface ProcedureDialogProps {
  /** Null: a new one. */
  procedure: Procedure | null
  onClose: () => void
}

/** The names of the chart colours, for those who do not see them. */
const colourNames = ['Teal', 'Terracotta', 'Blue', 'Ochre', 'Plum', 'Mint', 'Umber', 'Rose', 'Olive'] as const

export default function ProcedureDialog({ procedure, onClose }: ProcedureDialogProps) {
  const cache = useQueryClient()
  // What was there when it was opened: anyone who changes it in the meantime is told of.
  const [before] = useState(procedure)
  const [name, setName] = useState(before?.name ?? '')
  const [colour, setColour] = useState(before?.colour ?? null)
  const [price, setPrice] = useState(centsToText(before?.priceCents ?? null))
  const [length, setLength] = useState(before?.minutes?.toString() ?? '')
  const [taxCodeId, setTaxCodeId] = useState(before?.taxCodeId ?? null)
  const [isSurgical, setSurgical] = useState(before?.isSurgical ?? true)
  const [isActive, setActive] = useState(before?.isActive ?? true)
  // The accounting system may be away, or not be connected yet: what is chosen stays then.
  const codes = useQuery(orpc.pos.taxCodes.queryOptions({ staleTime: 60_000, retry: false })).data?.taxCodes ?? []
  const [isLeaving, setLeaving] = useState(false)
  const action = useAction({
    onDone() {
      void cache.invalidateQueries({ queryKey: orpc.procedures.key() })
      onClose()
    },
  })

  const priceCents = textToCents(price)
  const minutes = length.trim() === '' ? null : /^\d{1,3}$/.test(length.trim()) ? Number(length) : Number.NaN
  const wrong: Record<string, string> = {}
  if (name.trim() === '') wrong.name = procedureMessages.name
  if (priceCents === undefined) wrong.priceCents = procedureMessages.price
  if (minutes !== null && !(minutes >= shortestProcedure && minutes <= maxProcedureLength)) wrong.minutes = procedureMessages.minutes
  const problems = action.problems(wrong)

  function submit() {
    const fields = { name, colour, priceCents: priceCents ?? null, minutes, taxCodeId, isSurgical }
    void action.send({
      wrong,
      fields: { NAME_TAKEN: 'name' },
      call: () =>
        before
          ? client.procedures.update({ ...fields, id: before.id, version: before.version, isActive })
          : client.procedures.create(fields),
      done: (saved) => `${saved.name} was ${before ? 'saved' : 'added'}`,
    })
  }

  if (procedure && isLeaving) return <DeleteProcedure procedure={procedure} onClose={onClose} />
  return (
    <ActionDialog
      title={before ? 'Edit procedure' : 'Add procedure'}
      action={action}
      problems={problems}
      label={before ? 'Save procedure' : 'Add procedure'}
      busyLabel="Saving..."
      onClose={onClose}
      onSubmit={submit}
      extra={
        before && (
          <Button size="lg" variant="danger" className="mr-auto" disabled={action.isBusy} onClick={() => setLeaving(true)}>
            Delete procedure
          </Button>
        )
      }
    >
      <Field label="Name" error={problems.name}>
        <Input value={name} maxLength={100} autoComplete="off" onChange={({ target }) => action.typed(setName)(target.value)} />
      </Field>
      <div className="grid grid-cols-2 gap-x-3 gap-y-4">
        <Field label="Usual price" optional error={problems.priceCents} hint="Without a price list.">
          <MoneyInput value={price} onValueChange={action.typed(setPrice)} />
        </Field>
        <Field label="Usual length" optional error={problems.minutes}>
          <Input
            value={length}
            inputMode="numeric"
            autoComplete="off"
            maxLength={3}
            trailing={<span className="text-sm">min</span>}
            onChange={({ target }) => action.typed(setLength)(target.value)}
          />
        </Field>
        <Field label="Tax code" error={problems.taxCodeId}>
          <Select
            value={taxCodeId}
            noneLabel="The usual one"
            onValueChange={action.typed(setTaxCodeId)}
            options={[
              ...codes.map(({ Id, Name }) => ({ value: Id, label: Name })),
              ...(taxCodeId && !codes.some(({ Id }) => Id === taxCodeId) ? [{ value: taxCodeId, label: 'The one chosen before' }] : []),
            ]}
          />
        </Field>
        <Field label="Colour" error={problems.colour}>
          <Select
            value={colour?.toString() ?? null}
            noneLabel="None"
            onValueChange={(next) => action.typed(setColour)(next === null ? null : Number(next))}
            options={procedureColours.map((one) => ({
              value: String(one),
              label: colourNames[one - 1]!,
              icon: <ProcedureDot colour={one} className="size-3" />,
            }))}
          />
        </Field>
      </div>
      <CheckboxLine checked={isSurgical} onCheckedChange={setSurgical} hint="It can be booked as a surgery.">
        Surgical
      </CheckboxLine>
      {before && (
        <CheckboxLine
          checked={isActive}
          onCheckedChange={setActive}
          hint="One that is not stays with the patients and surgeries that have it."
        >
          Offered
        </CheckboxLine>
      )}
    </ActionDialog>
  )
}
