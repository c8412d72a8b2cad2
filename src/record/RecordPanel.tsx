import { Check, Lock, Minus, Phone } from 'lucide-react'
import { PatientBalance } from '../billing/collections/web/embed/PatientBalance.tsx'
import { ConsentPanel } from '../crm/consent/web/embed/ConsentPanel.tsx'
import { PossibleDuplicates } from '../crm/duplicates/web/embed/PossibleDuplicates.tsx'
import { HealthCardFact } from '../crm/health-cards/web/embed/HealthCardFact.tsx'
import { MergedPatients } from '../admin/merges/web/embed/MergedPatients.tsx'
import { PatientSequences } from '../outreach/sequences/web/embed/PatientSequences.tsx'
import { ContactTags } from '../crm/tags/web/embed/ContactTags.tsx'
import { Fact, Facts, PanelSection } from '../ui/display/Facts.tsx'
import { formatAgo, formatDate, formatDateTime, formatDay, formatPhone } from '../ui/format.ts'
import { None } from '../ui/display/Table.tsx'
import type { ContactData } from '../crm/contacts/web/embed/contact-data.ts'
import { telephoneLink } from '../crm/contacts/web/embed/contact-text.ts'
import { toInstant } from '../shared/zoned-time.ts'
import type { ChangeContact } from '../crm/contacts/web/embed/useContactChange.ts'
import { EditableFact, EditableValue } from './edit/EditableFact.tsx'
import type { FactName } from '../crm/contacts/form-fields.ts'
import { ContactLink, ContactSection } from './ContactSection.tsx'
import { DeclaredFacts, type PatientFacts } from './DeclaredFacts.tsx'
import { FollowUpSection } from './FollowUpSection.tsx'
import { SourceSection } from './SourceSection.tsx'

interface RecordPanelProps extends PatientFacts {
  change: ChangeContact
  /** Makes the panel visible where it is a tab. */
  onShow: () => void
  /** A call to the patient was started. */
  onCall: () => void
}

/** The patient's details next to the timeline; each value can be edited in place. */
export function RecordPanel({ contact, directory, clock, change, clinical, onShow, onCall }: RecordPanelProps) {
  const facts = { contact, directory, clock, clinical }
  return (
    <>
      <ContactSection {...facts} onCall={onCall} />
      <PanelSection title="Identity">
        <Facts>
          <DeclaredFacts section="identity" {...facts} />
          <HealthCardFact contactId={contact.id} />
        </Facts>
      </PanelSection>
      <ConsentPanel contactId={contact.id} clock={clock} people={directory.people}>
        <EditableFact fact="consent" label="Consent">
          <span className="inline-flex gap-1.5">
            {contact.consentToCommunicate ? <Check className="mt-0.5 text-success" /> : <Minus className="mt-0.5 text-fg-3" />}
            {contact.consentToCommunicate ? 'May be contacted' : 'Not given'}
          </span>
        </EditableFact>
      </ConsentPanel>
      <FollowUpSection contact={contact} clock={clock} change={change} onShow={onShow} />
      <PatientSequences contactId={contact.id} clock={clock} />
      <CareSection {...facts} />
      <CareTeamSection {...facts} />
      <PatientBalance contactId={contact.id} />
      <SourceSection {...facts} />
      <PanelSection title="Tags">
        <ContactTags contactId={contact.id} tags={directory.tags} onShow={onShow} />
      </PanelSection>
      <PanelSection title="Pipeline">
        <Facts>
          <DeclaredFacts section="pipeline" {...facts} />
        </Facts>
      </PanelSection>
      <BookingSection {...facts} />
      <NotesSection contact={contact} clinical={clinical} />
      <OtherSection {...facts} />
      <PossibleDuplicates contactId={contact.id} />
      <MergedPatients contactId={contact.id} clock={clock} people={directory.people} />
    </>
  )
}

function CareSection(props: PatientFacts) {
  const { contact, clinical } = props
  return (
    <PanelSection title="Care">
      <Facts>
        <DeclaredFacts section="care" {...props} />
        {clinical && (
          <EditableFact fact="specialist" label="Specialist">
            {contact.requiresSpecialistConsult ? (
              <>
                {contact.specialistConsultType ?? 'Consult required'}
                <span className="block text-xs text-fg-3">{resultsText(contact)}</span>
              </>
            ) : (
              <None>Not required</None>
            )}
          </EditableFact>
        )}
      </Facts>
    </PanelSection>
  )
}

function CareTeamSection(props: PatientFacts) {
  const { emergencyContactName: name, emergencyContactPhone: phone, emergencyContactRelationship: relationship } = props.contact
  const dial = telephoneLink(phone)
  return (
    <PanelSection title="Emergency contact and care team">
      <Facts>
        <EditableFact
          fact="emergencyContact"
          label="Emergency"
          action={dial && <ContactLink href={dial} label="Call emergency contact" icon={<Phone />} />}
        >
          {[name, relationship].filter(Boolean).join(', ') || (phone ? null : <None />)}
          {phone && <span className="block tabular-nums">{formatPhone(phone)}</span>}
        </EditableFact>
        <DeclaredFacts section="care-team" {...props} />
      </Facts>
    </PanelSection>
  )
}

function resultsText({ specialistResultsReceived, specialistResultsDate }: ContactData): string {
  if (!specialistResultsReceived) return 'Results not received'
  return specialistResultsDate ? `Results received ${formatDay(specialistResultsDate)}` : 'Results received'
}

function BookingSection(props: PatientFacts) {
  const { contact, clock } = props
  const { appointmentDate: day, appointmentTime: time } = contact
  const appointment = day && (time ? formatDateTime(toInstant({ day, time }, clock.timeZone), clock) : formatDay(day))
  return (
    <PanelSection title="Appointment and surgery">
      <Facts>
        <EditableFact fact="appointment" label="Appointment">
          {appointment ?? <None />}
        </EditableFact>
        <DeclaredFacts section="booking" {...props} />
      </Facts>
    </PanelSection>
  )
}

/** Long texts at full width. Roles without access see a notice instead. */
function NotesSection({ contact, clinical }: Pick<RecordPanelProps, 'contact' | 'clinical'>) {
  if (!clinical) {
    return (
      <PanelSection title="Clinical notes">
        <p className="flex gap-2 text-sm text-fg-3">
          <Lock className="mt-0.5" />
          The billing role cannot see or change clinical notes.
        </p>
      </PanelSection>
    )
  }
  return (
    <>
      <PanelSection title="Notes">
        <LongValue fact="notes" label="Notes" text={contact.notes} />
      </PanelSection>
      {contact.specialistNotes && (
        <PanelSection title="Specialist notes">
          <LongValue fact="specialistNotes" label="Specialist notes" text={contact.specialistNotes} />
        </PanelSection>
      )}
    </>
  )
}

function LongValue({ text, ...fact }: { fact: FactName; label: string; text: string | null }) {
  return (
    <EditableValue {...fact} className="block w-[calc(100%+0.75rem)] text-sm whitespace-pre-wrap text-fg">
      {text ?? <None />}
    </EditableValue>
  )
}

function OtherSection(props: PatientFacts) {
  const { contact, clock } = props
  return (
    <PanelSection title="Other">
      <Facts>
        <DeclaredFacts section="other" {...props} />
        <Fact label="Added">{formatDate(contact.createdAt, clock.timeZone)}</Fact>
        <Fact label="Last changed">
          <span title={formatDateTime(contact.updatedAt, clock)}>{formatAgo(contact.updatedAt, clock)}</span>
        </Fact>
      </Facts>
    </PanelSection>
  )
}
