import { Check, Minus } from 'lucide-react'
import { ContactTags } from '../../../tags/web/embed/ContactTags.tsx'
import { Fact, Facts, PanelSection } from '../../../../web/ui/Facts.tsx'
import {
  type Clock,
  formatAgo,
  formatDate,
  formatDateTime,
  formatDay,
  formatMoney,
  formatPhone,
  formatPostalCode,
} from '../../../../web/ui/format.ts'
import { None } from '../../../../web/ui/Table.tsx'
import { addressLine, capitalised, formerStaff, procedureName, sourceName, telephoneLink, wordsBeside } from '../contact-text.ts'
import type { ContactData } from '../embed/contact-data.ts'
import { byId, type Directory } from '../embed/directory.ts'
import { toInstant } from '../practice-time.ts'
import type { ChangeContact } from '../useContactChange.ts'
import { FollowUpSection } from './FollowUpSection.tsx'

interface RecordPanelProps {
  contact: ContactData
  directory: Directory
  clock: Clock
  change: ChangeContact
  /** Whether who is signed in may see clinical notes. */
  clinical: boolean
}

/** Everything that is known of a patient beside the timeline. */
export function RecordPanel({ contact, directory, clock, change, clinical }: RecordPanelProps) {
  const source = sourceName(contact, directory)
  const ownWords = wordsBeside(source, contact.leadSourceText)
  return (
    <>
      <ContactSection contact={contact} />
      <FollowUpSection contact={contact} clock={clock} change={change} />
      <CareSection contact={contact} directory={directory} clinical={clinical} />
      <PanelSection title="Source">
        <Facts>
          <Fact label="First">{source}</Fact>
          {ownWords && <Fact label="In their words">{ownWords}</Fact>}
          {contact.importSource && <Fact label="Came in by">{contact.importSource}</Fact>}
        </Facts>
      </PanelSection>
      <PanelSection title="Tags">
        <ContactTags contactId={contact.id} tags={directory.tags} />
      </PanelSection>
      <BookingSection contact={contact} clock={clock} />
      {clinical && contact.notes && <NotesSection title="Notes" text={contact.notes} />}
      {clinical && contact.specialistNotes && <NotesSection title="Specialist notes" text={contact.specialistNotes} />}
      <OtherSection contact={contact} clock={clock} />
    </>
  )
}

function ContactSection({ contact }: { contact: ContactData }) {
  const address = addressLine({ ...contact, zipCode: contact.zipCode && formatPostalCode(contact.zipCode) })
  return (
    <PanelSection title="Contact">
      <Facts>
        <Fact label="Phone">
          <Phone phone={contact.phone} />
        </Fact>
        <Fact label="Email">
          {contact.email ? (
            <a href={`mailto:${contact.email}`} className="rounded-xs hover:underline">
              {/* Where it does not fit one line, it breaks before the domain rather than anywhere. */}
              {contact.email.slice(0, contact.email.lastIndexOf('@'))}
              <wbr />
              {contact.email.slice(contact.email.lastIndexOf('@'))}
            </a>
          ) : (
            <None />
          )}
        </Fact>
        <Fact label="Address">{address || <None />}</Fact>
        <Fact label="Consent">
          <span className="flex gap-1.5">
            {contact.consentToCommunicate ? <Check className="mt-0.5 text-success" /> : <Minus className="mt-0.5 text-fg-3" />}
            {contact.consentToCommunicate ? 'May be contacted' : 'Not given'}
          </span>
        </Fact>
      </Facts>
    </PanelSection>
  )
}

function Phone({ phone }: { phone: string | null }) {
  if (!phone) return <None />
  const link = telephoneLink(phone)
  if (!link) return phone
  return (
    <a href={link} className="rounded-xs tabular-nums hover:underline">
      {formatPhone(phone)}
    </a>
  )
}

function CareSection({ contact, directory, clinical }: Pick<RecordPanelProps, 'contact' | 'directory' | 'clinical'>) {
  const provider = byId(directory.people, contact.assignedProviderId)
  return (
    <PanelSection title="Care">
      <Facts>
        <Fact label="Procedure">{procedureName(contact, directory) ?? <None />}</Fact>
        <Fact label="Provider">{provider?.fullName ?? <None>{contact.assignedProviderId ? formerStaff : 'None'}</None>}</Fact>
        {clinical && <Fact label="Weight-loss drug">{contact.weightLossMedication ?? <None>None reported</None>}</Fact>}
        {clinical && contact.requiresSpecialistConsult && (
          <Fact label="Specialist">
            {contact.specialistConsultType ?? 'Consult required'}
            <span className="block text-xs text-fg-3">{resultsText(contact)}</span>
          </Fact>
        )}
      </Facts>
    </PanelSection>
  )
}

function resultsText({ specialistResultsReceived, specialistResultsDate }: ContactData): string {
  if (!specialistResultsReceived) return 'Results not received'
  return specialistResultsDate ? `Results received ${formatDay(specialistResultsDate)}` : 'Results received'
}

function BookingSection({ contact, clock }: { contact: ContactData; clock: Clock }) {
  const { appointmentDate: day, appointmentTime: time } = contact
  const appointment = day && (time ? formatDateTime(toInstant({ day, time }, clock.timeZone), clock) : formatDay(day))
  return (
    <PanelSection title="Appointment and surgery">
      <Facts>
        <Fact label="Appointment">{appointment ?? <None />}</Fact>
        {contact.appointmentLocation && <Fact label="Location">{contact.appointmentLocation}</Fact>}
        <Fact label="Surgery">{contact.surgicalDate ? formatDay(contact.surgicalDate) : <None />}</Fact>
        <Fact label="Revenue">
          {contact.revenueCents === null ? <None /> : <span className="tabular-nums">{formatMoney(contact.revenueCents)}</span>}
        </Fact>
      </Facts>
    </PanelSection>
  )
}

function NotesSection({ title, text }: { title: string; text: string }) {
  return (
    <PanelSection title={title}>
      <p className="text-sm break-words whitespace-pre-wrap text-fg">{text}</p>
    </PanelSection>
  )
}

function OtherSection({ contact, clock }: { contact: ContactData; clock: Clock }) {
  const details = Object.entries(contact.metadata ?? {})
  return (
    <PanelSection title="Other">
      <Facts>
        <Fact label="Status">{capitalised(contact.status)}</Fact>
        {contact.company && <Fact label="Company">{contact.company}</Fact>}
        {contact.title && <Fact label="Title">{contact.title}</Fact>}
        <Fact label="Last contact">
          {contact.lastContactDate ? (
            <span title={formatDateTime(contact.lastContactDate, clock)}>{formatAgo(contact.lastContactDate, clock)}</span>
          ) : (
            <None>Never</None>
          )}
        </Fact>
        <Fact label="Added">{formatDate(contact.createdAt, clock.timeZone)}</Fact>
        <Fact label="Last changed">
          <span title={formatDateTime(contact.updatedAt, clock)}>{formatAgo(contact.updatedAt, clock)}</span>
        </Fact>
        {details.map(([name, value]) => (
          <Fact key={name} label={name}>
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </Fact>
        ))}
      </Facts>
    </PanelSection>
  )
}
