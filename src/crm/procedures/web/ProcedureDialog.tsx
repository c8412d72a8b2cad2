import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { centsToText, textToCents } from '../../../shared/money.ts'
import { client, orpc } from '../../../ui/client/api.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { CheckboxLine } from '../../../ui/controls/Checkbox.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { MoneyInput } from '../../../ui/controls/MoneyInput.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { maxProcedureLength, type Procedure, procedureColours, procedureMessages, shortestProcedure } from '../contract.ts'
import { DeleteProcedure } from './DeleteProcedure.tsx'
import { ProcedureDot } from './embed/ProcedureDots.tsx'

interface ProcedureDialogProps {
  /** Null for a new procedure. */
  procedure: Procedure | null
  onClose: () => void
}

/** The names of the chart colours, for screen readers. */
const colourNames = ['Teal', 'Terracotta', 'Blue', 'Ochre', 'Plum', 'Mint', 'Umber', 'Rose', 'Olive'] as const

export default function ProcedureDialog({ procedure, onClose }: ProcedureDialogProps) {
  const cache = useQueryClient()
  // The procedure as opened, so that a change by someone else is detected by its version.
  const [before] = useState(procedure)
  // Without a connection to the accounting system, the current tax code stays selected.
  const codes = useQuery(orpc.pos.taxCodes.queryOptions({ staleTime: 60_000, retry: false })).data?.taxCodes ?? []
  const [isDeleting, setDeleting] = useState(false)
  const form = useActionForm({
    initial: {
      name: before?.name ?? '',
      nameFr: before?.nameFr ?? '',
      colour: before?.colour ?? null,
      price: centsToText(before?.priceCents ?? null),
      minutes: before?.minutes?.toString() ?? '',
      taxCodeId: before?.taxCodeId ?? null,
      isSurgical: before?.isSurgical ?? true,
      isActive: before?.isActive ?? true,
    },
    check({ name, price, minutes: typed }) {
      const minutes = minutesOf(typed)
      const isLengthWrong = minutes !== null && !(minutes >= shortestProcedure && minutes <= maxProcedureLength)
      return {
        name: name.trim() === '' ? procedureMessages.name : undefined,
        priceCents: textToCents(price) === undefined ? procedureMessages.price : undefined,
        minutes: isLengthWrong ? procedureMessages.minutes : undefined,
      }
    },
    refusals: { NAME_TAKEN: 'name' },
    send({ price, minutes, isActive, ...given }) {
      const fields = { ...given, priceCents: textToCents(price) ?? null, minutes: minutesOf(minutes) }
      return before
        ? client.procedures.update({ ...fields, id: before.id, version: before.version, isActive })
        : client.procedures.create(fields)
    },
    done: (saved) => `${saved.name} was ${before ? 'saved' : 'added'}`,
    onDone() {
      void cache.invalidateQueries({ queryKey: orpc.procedures.key() })
      onClose()
    },
  })
  const { problems } = form
  const { colour, taxCodeId } = form.values

  if (procedure && isDeleting) return <DeleteProcedure procedure={procedure} onClose={onClose} />
  return (
    <ActionDialog
      title={before ? 'Edit procedure' : 'Add procedure'}
      form={form}
      action={{ label: before ? 'Save procedure' : 'Add procedure' }}
      onClose={onClose}
      footer={{
        start: before && (
          <Button size="lg" variant="danger" className="mr-auto" disabled={form.isBusy} onClick={() => setDeleting(true)}>
            Delete procedure
          </Button>
        ),
      }}
    >
      <Field label="Name" error={problems.name}>
        <Input {...form.text('name')} maxLength={100} autoComplete="off" />
      </Field>
      <Field label="Name in French" optional error={problems.nameFr} hint="For patients who read French.">
        <Input {...form.text('nameFr')} maxLength={100} autoComplete="off" lang="fr" />
      </Field>
      <div className="grid grid-cols-2 gap-x-3 gap-y-4">
        <Field label="Default price" optional error={problems.priceCents} hint="Used when there is no price list.">
          <MoneyInput {...form.bind('price')} />
        </Field>
        <Field label="Default duration" optional error={problems.minutes}>
          <Input
            {...form.text('minutes')}
            inputMode="numeric"
            autoComplete="off"
            maxLength={3}
            trailing={<span className="text-sm">min</span>}
          />
        </Field>
        <Field label="Tax code" error={problems.taxCodeId}>
          <Select
            {...form.bind('taxCodeId')}
            noneLabel="Default"
            options={[
              ...codes.map(({ Id, Name }) => ({ value: Id, label: Name })),
              ...(taxCodeId && !codes.some(({ Id }) => Id === taxCodeId) ? [{ value: taxCodeId, label: 'Current tax code' }] : []),
            ]}
          />
        </Field>
        <Field label="Colour" error={problems.colour}>
          <Select
            value={colour?.toString() ?? null}
            noneLabel="None"
            onValueChange={(next) => form.set({ colour: next === null ? null : Number(next) })}
            options={procedureColours.map((one) => ({
              value: String(one),
              label: colourNames[one - 1]!,
              icon: <ProcedureDot colour={one} className="size-3" />,
            }))}
          />
        </Field>
      </div>
      <CheckboxLine {...form.tick('isSurgical')} hint="Can be booked as a surgery.">
        Surgical
      </CheckboxLine>
      {before && (
        <CheckboxLine {...form.tick('isActive')} hint="If not offered, it stays on existing patients and surgeries.">
          Offered
        </CheckboxLine>
      )}
    </ActionDialog>
  )
}

/** Null if empty, NaN if invalid. */
function minutesOf(typed: string): number | null {
  if (typed.trim() === '') return null
  return /^\d{1,3}$/.test(typed.trim()) ? Number(typed) : Number.NaN
}
