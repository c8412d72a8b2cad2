import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { fullName } from '../../../contacts/web/embed/contact-data.ts'
import { orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { formatPhone } from '../../../../ui/format.ts'
import { useSettled } from '../../../../ui/hooks/useSettled.ts'
import { PatientFacts } from '../PatientFacts.tsx'
import { formatReasons } from '../reasons.ts'

interface SimilarPatientsProps {
  typed: { firstName: string; lastName: string; email: string; phone: string }
  /** Leaves the form for one who is there already. */
  onUse: (id: string) => void
}

/** Spec 9: what is typed is searched after 300 ms. */
const pause = 300
const fewestDigits = 7

/** What is typed so far, as far as it says something: a whole email, enough of a phone, both names. */
function telling({ firstName, lastName, email, phone }: SimilarPatientsProps['typed']): string {
  const isNamed = firstName.trim() !== '' && lastName.trim() !== ''
  return JSON.stringify({
    firstName: isNamed ? firstName.trim() : '',
    lastName: isNamed ? lastName.trim() : '',
    email: /\S@\S+\.\S/.test(email) ? email.trim().slice(0, 254) : '',
    phone: phone.replace(/\D/g, '').length >= fewestDigits ? phone.trim().slice(0, 50) : '',
  })
}

/** Patients like the one who is being typed: to be looked at in a tab of their own, or to be used instead. */
export function SimilarPatients({ typed, onUse }: SimilarPatientsProps) {
  const asked = useSettled(telling(typed), pause)
  const input = JSON.parse(asked) as SimilarPatientsProps['typed']
  const says = Object.values(input).some((text) => text !== '')
  const similar = useQuery(orpc.duplicates.similar.queryOptions({ input, enabled: says, placeholderData: keepPreviousData }))
  const found = says ? (similar.data ?? []) : []
  return (
    <section aria-label="Similar patients" aria-live="polite">
      {found.length > 0 && (
        <div className="relative max-h-48 overflow-y-auto border-t border-line bg-warning-soft px-4 py-2.5 text-sm text-fg md:px-6">
          <p className="font-semibold">{found.length === 1 ? 'This patient may be here already' : 'These patients may be the same'}</p>
          <ul>
            {found.map(({ contact, reasons }) => (
              <li key={contact.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1 max-md:py-2">
                {/* In a tab of its own, so that nothing typed is lost. */}
                <Link
                  to="/contacts/$id"
                  params={{ id: contact.id }}
                  target="_blank"
                  className="min-w-0 rounded-xs font-medium underline underline-offset-2 wrap-anywhere max-md:flex-1"
                >
                  {fullName(contact)}
                </Link>
                <PatientFacts
                  facts={[formatReasons(reasons), contact.email, contact.phone ? formatPhone(contact.phone) : null].filter(
                    (fact) => fact !== null,
                  )}
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
