import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { Avatar } from '../../../../ui/display/Avatar.tsx'
import { Combobox, type ComboboxOption } from '../../../../ui/controls/Combobox.tsx'
import { formatDay, formatPhone } from '../../../../ui/format.ts'
import { useDebounced } from '../../../../ui/hooks/useDebounced.ts'
import { type ContactRow, fullName } from './contact-data.ts'

/** Spec 9. */
const searchDebounce = 300
const maxQueryResults = 15

interface ContactPickerProps {
  value: string | null
  onValueChange: (id: string | null, contact: ContactRow | null) => void
  /** The selected patient, if already known. */
  selected?: Pick<ContactRow, 'id' | 'firstName' | 'lastName'> | null
  /** The ids of patients to leave out. */
  exclude?: readonly string[]
  placeholder?: string
  clearable?: boolean
  disabled?: boolean
  'aria-label'?: string
}

/** A patient combobox, with server search by name, email or phone (spec 5); before typing, the newest patients. */
export function ContactPicker({
  value,
  onValueChange,
  selected,
  exclude = [],
  placeholder = 'Choose a patient',
  ...rest
}: ContactPickerProps) {
  const [query, setQuery] = useState('')
  const [picked, setPicked] = useState<ComboboxOption | null>(null)
  const typed = query.trim()
  const term = useDebounced(typed, searchDebounce)
  const found = useQuery(
    orpc.contacts.list.queryOptions({
      // More, to make up for excluded patients.
      input: { search: term || undefined, limit: maxQueryResults + exclude.length },
      placeholderData: keepPreviousData,
      enabled: !rest.disabled,
    }),
  )
  const rows = (found.data?.data ?? []).filter(({ id }) => !exclude.includes(id)).slice(0, maxQueryResults)
  // Results for exactly the typed text stay visible while they are refetched.
  const isSearching = found.isPending || found.isPlaceholderData || typed !== term

  return (
    <Combobox
      {...rest}
      value={value}
      onValueChange={(id, option) => {
        setPicked(option)
        onValueChange(id, rows.find((row) => row.id === id) ?? null)
      }}
      options={rows.map(optionOf)}
      selected={selected ? optionOf(selected) : picked}
      search={{
        placeholder: 'Name, email or phone',
        empty: found.error ? messageOf(found.error) : typed ? `No patient matches “${typed}”.` : 'No other patients yet.',
        onSearch: setQuery,
        isLoading: isSearching,
      }}
      placeholder={placeholder}
    />
  )
}

function optionOf(
  contact: Pick<ContactRow, 'id' | 'firstName' | 'lastName'> & Partial<Pick<ContactRow, 'dateOfBirth' | 'email' | 'phone'>>,
): ComboboxOption {
  const { dateOfBirth, email, phone } = contact
  const details = [dateOfBirth && `Born ${formatDay(dateOfBirth)}`, email, phone && formatPhone(phone)].filter(Boolean).join(' · ')
  return {
    value: contact.id,
    label: fullName(contact),
    detail: details || undefined,
    icon: <Avatar kind="patient" size="sm" firstName={contact.firstName} lastName={contact.lastName} />,
  }
}
