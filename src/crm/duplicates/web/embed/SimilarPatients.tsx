import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { fullName } from '../../../contacts/web/embed/contact-data.ts'
import { calendarDay } from '../../../../shared/dates.ts'
import { orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { formatDay, formatPhone } from '../../../../ui/format.ts'
import { useDebounced } from '../../../../ui/hooks/useDebounced.ts'
import { PatientFacts } from '../PatientFacts.tsx'
import { formatReasons } from '../reasons.ts'

interface SimilarPatientsProps {
  typed: { firstName: string; lastName: string; email: string; phone: string; dateOfBirth: string }
  /** Called when the user leaves the form for an existing patient. */
  onUse: (id: string) => void
}

/** Searches 300 ms after the last keystroke (spec 9). */
const debounceMs = 300
const minDigits = 7

type Input = Omit<SimilarPatientsProps['typed'], 'dateOfBirth'> & { dateOfBirth: string | null }

/**
 * The parts of the input that are complete enough to search: a whole email, enough of a phone number, both names, with a birth date.
 * Serialized for debouncing.
 */
function searchableInput({ firstName, lastName, email, phone, dateOfBirth }: SimilarPatientsProps['typed']): string {
  const isNamed = firstName.trim() !== '' && lastName.trim() !== ''
  return JSON.stringify({
    firstName: isNamed ? firstName.trim() : '',
    lastName: isNamed ? lastName.trim() : '',
    email: /\S@\S+\.\S/.test(email) ? email.trim().slice(0, 254) : '',
    phone: phone.replace(/\D/g, '').length >= minDigits ? phone.trim().slice(0, 50) : '',
    dateOfBirth: isNamed && calendarDay.safeParse(dateOfBirth).success ? dateOfBirth : null,
  } satisfies Input)
}

/** Patients similar to the one being entered, to open in a new tab or to use instead. */
export function SimilarPatients({ typed, onUse }: SimilarPatientsProps) {
  const searched = useDebounced(searchableInput(typed), debounceMs)
  const input = JSON.parse(searched) as Input
  const isSearchable = [input.firstName, input.email, input.phone].some((text) => text !== '')
  const similar = useQuery(orpc.duplicates.similar.queryOptions({ input, enabled: isSearchable, placeholderData: keepPreviousData }))
  const found = isSearchable ? (similar.data ?? []) : []
  return (
    <section aria-label="Similar patients" aria-live="polite">
      {found.length > 0 && (
        <div className="relative max-h-48 overflow-y-auto border-t border-line bg-warning-soft px-4 py-2.5 text-sm text-fg md:px-6">
          <p className="font-semibold">{found.length === 1 ? 'This patient may already exist' : 'These patients may be the same person'}</p>
          <ul>
            {found.map(({ contact, reasons }) => (
              <li key={contact.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1 max-md:py-2">
                {/* Opens in a new tab, so that the form's input is not lost. */}
                <Link
                  to="/contacts/$id"
                  params={{ id: contact.id }}
                  target="_blank"
                  className="min-w-0 rounded-xs font-medium underline underline-offset-2 wrap-anywhere max-md:flex-1"
                >
                  {fullName(contact)}
                </Link>
                <PatientFacts
                  facts={[
                    formatReasons(reasons),
                    contact.dateOfBirth && `born ${formatDay(contact.dateOfBirth)}`,
                    contact.email,
                    contact.phone && formatPhone(contact.phone),
                  ].filter((fact) => fact !== null)}
                  className="flex-1 text-fg-2 max-md:order-last max-md:basis-full"
                />
                <Button size="sm" aria-label={`Use ${fullName(contact)}`} onClick={() => onUse(contact.id)}>
                  Use this patient
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}
