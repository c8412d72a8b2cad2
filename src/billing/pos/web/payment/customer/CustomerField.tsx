import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link2, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { messageOf, orpc } from '../../../../../ui/client/api.ts'
import { Avatar } from '../../../../../ui/display/Avatar.tsx'
import { Badge } from '../../../../../ui/display/Badge.tsx'
import { Button } from '../../../../../ui/controls/Button.tsx'
import { Field } from '../../../../../ui/forms/Field.tsx'
import { SegmentedControl } from '../../../../../ui/controls/SegmentedControl.tsx'
import { Skeleton } from '../../../../../ui/display/Skeleton.tsx'
import { usePhone } from '../../../../../ui/hooks/useMedia.ts'
import { useDebounced } from '../../../../../ui/hooks/useDebounced.ts'
import { formatPhone } from '../../../../../ui/format.ts'
import type { PosCustomer } from '../../../contract.ts'
import { AddEmailDialog } from './AddEmailDialog.tsx'
import { customerName } from '../sale.ts'
import { minQueryLength, LookUp, searchDebounce } from '../LookUp.tsx'
import { CreateInQuickBooks } from './CreateInQuickBooks.tsx'
import { NewCustomerDialog } from './NewCustomerDialog.tsx'
import type { PatientCustomer } from './usePatientCustomer.ts'

interface CustomerFieldProps {
  customer: PosCustomer | null
  onChange: (customer: PosCustomer | null) => void
  patient: PatientCustomer
  /** A patient was chosen, who may have no customer yet. */
  onPatient: (contactId: string) => void
  error?: string
  /** Why the chosen patient must be created in QuickBooks first. */
  createError?: string
  onUnavailable: (isUnavailable: boolean) => void
}

/** The paying customer: searched by name or email, also among the practice's patients, or added. Only customers with an email can be chosen (spec 5). */
export function CustomerField({ customer, onChange, patient, onPatient, error, createError, onUnavailable }: CustomerFieldProps) {
  const [isNew, setNew] = useState(false)
  const [isChanging, setChanging] = useState(false)
  const [withoutEmail, setWithoutEmail] = useState<PosCustomer | null>(null)

  function pick(picked: PosCustomer) {
    if (!picked.email) return setWithoutEmail(picked)
    setWithoutEmail(null)
    setNew(false)
    onChange(picked)
  }

  if (patient.waiting && !customer) {
    return (
      <Field label="Customer">
        <span role="status" aria-label="Loading" className="flex h-12 items-center gap-3 rounded-md border border-line px-3">
          <Skeleton className="size-7 rounded-full" />
          <Skeleton className="w-2/5" />
        </span>
      </Field>
    )
  }
  if (customer) {
    return (
      <div role="group" aria-label="Customer">
        <p className="pb-1.5 text-sm font-medium text-fg">Customer</p>
        <ChosenCustomer
          customer={customer}
          onChange={() => {
            setChanging(true)
            onChange(null)
          }}
        />
      </div>
    )
  }
  return (
    <>
      <Field
        label="Customer"
        error={error && (patient.hint ?? error)}
        hint={patient.hint}
        aside={
          <Button size="sm" variant="quiet" icon={<UserPlus />} className="-my-2 -mr-2.5" onClick={() => setNew(true)}>
            Add New Customer
          </Button>
        }
      >
        <CustomerSearch onPick={pick} onPatient={onPatient} autoFocus={isChanging} onUnavailable={onUnavailable} />
      </Field>
      {patient.begin.contactId && (
        <div data-field="create">
          <CreateInQuickBooks begin={patient.begin} error={createError} onCreated={pick} onIncomplete={() => setNew(true)} />
        </div>
      )}
      {isNew && <NewCustomerDialog begin={patient.begin} onClose={() => setNew(false)} onCreated={pick} />}
      {withoutEmail && <AddEmailDialog customer={withoutEmail} onClose={() => setWithoutEmail(null)} onAdded={pick} />}
    </>
  )
}

function CustomerSearch({
  onPick,
  onPatient,
  onUnavailable,
  autoFocus,
}: {
  onPick: (customer: PosCustomer) => void
  onPatient: (contactId: string) => void
  onUnavailable: (isUnavailable: boolean) => void
  autoFocus: boolean
}) {
  const [query, setQuery] = useState('')
  const [by, setBy] = useState<'name' | 'email'>('name')
  const typed = query.trim()
  const term = useDebounced(typed, searchDebounce)
  const search = useQuery(
    orpc.pos.searchCustomers.queryOptions({
      input: { query: term, type: by },
      enabled: term.length >= minQueryLength,
      placeholderData: keepPreviousData,
    }),
  )
  const customers = search.data?.customers ?? []
  const patients = usePatientsWithout(customers, term)
  const isUnavailable = search.data?.isUnavailable ?? false
  const [wasAway, setWasAway] = useState(false)
  if (isUnavailable !== wasAway) {
    setWasAway(isUnavailable)
    onUnavailable(isUnavailable)
  }
  return (
    <div className="flex items-center gap-2">
      <LookUp
        query={query}
        onQueryChange={setQuery}
        autoFocus={autoFocus}
        listLabel="Customers"
        placeholder={by === 'name' ? 'Name, 2 letters or more' : 'Email, 2 letters or more'}
        results={{
          loading: typed !== term || search.isPending || search.isPlaceholderData || patients.isPending,
          found: [
            ...customers.map((customer) => ({
              key: customer.id,
              label: customerName(customer),
              detail: customer.email ?? 'No email yet',
              icon: <Avatar kind="patient" size="sm" {...namesOf(customerName(customer))} />,
              ...(patients.found.length > 0 && { group: 'Customers' }),
            })),
            ...patients.found.map(({ id, firstName, lastName, email, phone }) => ({
              key: id,
              label: `${firstName} ${lastName}`,
              detail: email ?? (phone && formatPhone(phone)) ?? 'No email yet',
              icon: <Avatar kind="patient" size="sm" firstName={firstName} lastName={lastName} />,
              group: 'Patients',
            })),
          ],
          empty: isUnavailable ? `No customers found for "${typed}" among those known here.` : `No customers found for "${typed}"`,
          failed: search.error ? { message: messageOf(search.error), retry: () => void search.refetch() } : null,
        }}
        onChoose={(id) => {
          const picked = customers.find((customer) => customer.id === id)
          if (picked) onPick(picked)
          else onPatient(id)
        }}
      />
      <SegmentedControl
        aria-label="Search customers by"
        value={by}
        onValueChange={setBy}
        options={[
          { value: 'name', label: 'Name' },
          { value: 'email', label: 'Email' },
        ]}
      />
    </div>
  )
}

/** The practice's patients who match, without those of these customers. */
function usePatientsWithout(customers: readonly PosCustomer[], search: string) {
  const { data, isPending, isPlaceholderData } = useQuery(
    orpc.contacts.find.queryOptions({ input: { search }, enabled: search.length >= minQueryLength, placeholderData: keepPreviousData }),
  )
  const known = new Set(customers.map(({ refyneContactId }) => refyneContactId))
  return { found: data?.data.filter(({ id }) => !known.has(id)) ?? [], isPending: isPending || isPlaceholderData }
}

export function ChosenCustomer({ customer, onChange }: { customer: PosCustomer; onChange?: () => void }) {
  const phone = usePhone()
  const name = customerName(customer)
  return (
    <div className="flex min-h-15 items-center gap-3 rounded-md border border-line-2 py-1.5 pr-2 pl-3 md:min-h-11.5">
      <Avatar kind="patient" size={phone ? 'lg' : 'md'} {...namesOf(name)} className="max-md:size-8 max-md:text-xs" />
      <p className="min-w-0 flex-1 text-md max-md:leading-6">
        <span className="font-medium text-fg max-md:block max-md:truncate">{name}</span>{' '}
        <span className="break-words text-fg-2 max-md:block max-md:truncate">{customer.email}</span>
      </p>
      {customer.refyneContactId && (
        <Badge tone="success" icon={<Link2 />} className="max-md:hidden">
          Linked to patient
        </Badge>
      )}
      {onChange && (
        <Button variant="quiet" onClick={onChange}>
          Change
        </Button>
      )}
    </div>
  )
}

/** For initials: a company name may be a single word. */
function namesOf(name: string): { firstName: string; lastName: string } {
  const words = name.trim().split(/\s+/)
  return { firstName: words[0] ?? '', lastName: words.length > 1 ? words.at(-1)! : '' }
}
