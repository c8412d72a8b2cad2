import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, orpc } from '../../../ui/client/api.ts'
import { Alert } from '../../../ui/display/Alert.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { useDebounced } from '../../../ui/hooks/useDebounced.ts'
import { contactMessages } from '../../contacts/contact-contract.ts'
import { fullName } from '../../contacts/web/embed/contact-data.ts'
import { splitFullName } from '../name-rules.ts'
import { ReceivedFields } from './ReceivedFields.tsx'
import type { QueuedLead } from './QueueRow.tsx'

const fields = ['firstName', 'lastName', 'email', 'phone', 'procedure'] as const
type LeadField = (typeof fields)[number]
type Values = Record<LeadField, string>

const labels: Record<LeadField, string> = {
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  phone: 'Phone',
  procedure: 'Procedure',
}
const maxLengths: Values | Record<LeadField, number> = { firstName: 100, lastName: 100, email: 254, phone: 50, procedure: 200 }
const required = ['firstName', 'lastName', 'email'] as const
/** Searches 300 ms after the last keystroke (spec 9). */
const debounceMs = 300

interface CompleteLeadDialogProps {
  lead: QueuedLead
  onCompleted: () => void
  onClose: () => void
}

/** Completes a lead. Shows the received values next to the patient fields; clicking a value fills the active field. */
export default function CompleteLeadDialog({ lead: queued, onCompleted, onClose }: CompleteLeadDialogProps) {
  const cache = useQueryClient()
  const form = useActionForm({
    initial: (): Values => {
      const of = (field: LeadField) => (queued.lead[field] ?? '').slice(0, Number(maxLengths[field]))
      return { firstName: of('firstName'), lastName: of('lastName'), email: of('email'), phone: of('phone'), procedure: of('procedure') }
    },
    check: validate,
    send: async (typed) => ({ ...typed, ...(await client.leads.complete({ id: queued.id, ...typed })) }),
    done: ({ isNew, firstName, lastName }) =>
      isNew ? `${`${firstName} ${lastName}`.trim()} was added` : `The lead was added to the patient with this email`,
    onDone() {
      void cache.invalidateQueries({ queryKey: orpc.leads.key() })
      onCompleted()
      onClose()
    },
  })
  const { values } = form
  const [active, setActive] = useState<LeadField>(() => required.find((field) => values[field] === '') ?? 'email')
  const known = usePatientByEmail(values.email)

  /** Fills the active field and moves on to the next empty required field. */
  function assign(value: string) {
    const text = value.replace(/\s+/g, ' ').trim()
    const split = active === 'firstName' && values.lastName === '' ? splitFullName(text) : null
    const filled = split?.lastName ? { firstName: split.firstName, lastName: split.lastName } : { [active]: text }
    const next = { ...values, ...filled }
    for (const field of fields) next[field] = next[field].slice(0, Number(maxLengths[field]))
    form.set(next)
    setActive(required.find((field) => next[field] === '') ?? active)
  }

  return (
    <ActionDialog
      size="viewer"
      title="Complete lead"
      description={`From ${queued.sourceName}. Choose a field, then click the received value that belongs there.`}
      form={form}
      action={{ label: 'Complete lead', busyLabel: 'Completing…' }}
      onClose={onClose}
    >
      <div className="grid gap-6 md:grid-cols-2">
        <ReceivedFields
          title="Received"
          received={queued.received}
          action={`Use for ${labels[active]}`}
          isUsed={({ value }) => Object.values(values).includes(value.replace(/\s+/g, ' ').trim())}
          onChoose={({ value }) => assign(value)}
        />
        <div className="flex min-w-0 flex-col gap-4">
          {fields.map((field) => (
            <Field
              key={field}
              label={labels[field]}
              optional={!required.some((name) => name === field)}
              error={form.problems[field]}
              aside={active === field && <span className="text-xs text-accent-fg">Next click fills this field</span>}
            >
              <Input
                {...form.text(field)}
                maxLength={Number(maxLengths[field])}
                type={field === 'email' ? 'email' : 'text'}
                autoComplete="off"
                data-autofocus={active === field ? '' : undefined}
                onFocus={() => setActive(field)}
              />
            </Field>
          ))}
          {known && (
            <Alert tone="info" title={`${fullName(known)} has this email.`}>
              The lead will be added to this patient.
            </Alert>
          )}
        </div>
      </div>
    </ActionDialog>
  )
}

function validate(values: Values): Record<string, string> {
  const problems: Record<string, string> = {}
  for (const field of ['firstName', 'lastName'] as const) if (values[field].trim() === '') problems[field] = contactMessages[field]
  if (!isAddress(values.email)) problems.email = contactMessages.email
  return problems
}

const isAddress = (email: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim())

/** The patient with this email, looked up after a pause in typing. */
function usePatientByEmail(email: string) {
  const debounced = useDebounced(email.trim(), debounceMs)
  return useQuery(orpc.contacts.byEmail.queryOptions({ input: { email: debounced }, enabled: isAddress(debounced) })).data ?? null
}
