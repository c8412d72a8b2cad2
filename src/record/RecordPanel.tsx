import { Check, Lock, Minus } from 'lucide-react'
import { PatientBalance } from '../billing/collections/web/embed/PatientBalance.tsx'
import { ConsentPanel } from '../crm/consent/web/embed/ConsentPanel.tsx'
import { PossibleDuplicates } from '../crm/duplicates/web/embed/PossibleDuplicates.tsx'
import { MergedPatients } from '../admin/merges/web/embed/MergedPatients.tsx'
import { ContactTags } from '../crm/tags/web/embed/ContactTags.tsx'
import { Fact, Facts, PanelSection } from '../ui/Facts.tsx'
import { type Clock, formatAgo, formatDate, formatDateTime, formatDay, formatMoney } from '../ui/format.ts'
import { None } from '../ui/Table.tsx'
import { capitalised, formerStaff, procedureName } from '../crm/contacts/web/embed/contact-text.ts'
import type { ContactData } from '../crm/contacts/web/embed/contact-data.ts'
import { byId, type Directory } from '../crm/contacts/web/embed/directory.ts'
import { toInstant } from '../shared/zoned-time.ts'
import type { ChangeContact } from '../crm/contacts/web/embed/useContactChange.ts'
import { EditableFact, EditableValue } from './edit/EditableFact.tsx'
import type { FactName } from './edit/facts.ts'
import { ContactSection } from './ContactSection.tsx'
import { FollowUpSection } from './FollowUpSection.tsx'
import { SourceSection } from './SourceSection.tsx'

interface RecordPanelProps {
  contact: ContactData
  directory: Directory
  clock: Clock
  change: ChangeContact
  /** Whether who is signed in may see clinical notes. */
  clinical: boolean
  /** Brings the panel into sight, where it is a tab. */
  onShow: () => void
}

/** Everything that is known of a patient beside the timeline; each value is edited where it stands. */
export function RecordPanel({ contact, directory, clock, change, clinical, onShow }: RecordPanelProps) {
  return (
    <>
      <ContactSection contact={contact} />
      <ConsentPanel contactId={contact.id} clock={clock} people={directory.people}>
        <EditableFact fact="consent" label="Consent">
          <span className="inline-flex gap-1.5">
            {contact.consentToCommunicate ? <Check className="mt-0.5 text-success" /> : <Minus className="mt-0.5 text-fg-3" />}
            {contact.consentToCommunicate ? 'May be contacted' : 'Not given'}
          </span>
        </EditableFact>
      </ConsentPanel>
      <FollowUpSection contact={contact} clock={clock} change={change} onShow={onShow} />
      <CareSection contact={contact} directory={directory} clinical={clinical} />
      <PatientBalance contactId={contact.id} />
      <SourceSection contact={contact} directory={directory} clock={clock} />
      <PanelSection title="Tags">
        <ContactTags contactId={contact.id} tags={directory.tags} onShow={onShow} />
      </PanelSection>
      <PipelineSection contact={contact} directory={directory} />
      <BookingSection contact={contact} clock={clock} />
      <NotesSection contact={contact} clinical={clinical} />
      <OtherSection contact={contact} clock={clock} clinical={clinical} />
      <PossibleDuplicates contactId={contact.id} />
      <MergedPatients contactId={contact.id} clock={clock} people={directory.people} />
    </>
  )
}

function CareSection({ contact, directory, clinical }: Pick<RecordPanelProps, 'contact' | 'directory' | 'clinical'>) {
  return (
    <PanelSection title="Care">
      <Facts>
        <EditableFact fact="procedure" label="Procedure">
          {procedureName(contact, directory) ?? <None />}
        </EditableFact>
        <EditableFact fact="provider" label="Provider">
          <Staff id={contact.assignedProviderId} directory={directory} nobody="None" />
        </EditableFact>
        {clinical && (
          <EditableFact fact="medication" label="Weight-loss medication">
            {contact.weightLossMedication ?? <None>None reported</None>}
          </EditableFact>
        )}
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

function resultsText({ specialistResultsReceived, specialistResultsDate }: ContactData): string {
  if (!specialistResultsReceived) return 'Results not received'
  return specialistResultsDate ? `Results received ${formatDay(specialistResultsDate)}` : 'Results received'
}

function Staff({ id, directory: { people }, nobody }: { id: string | null; directory: Directory; nobody: string }) {
  const person = byId(people, id)
  if (person) return person.fullName
  return <None>{id === null || people.length === 0 ? nobody : formerStaff}</None>
}

function PipelineSection({ contact, directory }: Pick<RecordPanelProps, 'contact' | 'directory'>) {
  return (
    <PanelSection title="Pipeline">
      <Facts>
        <EditableFact fact="owner" label="Owner">
          <Staff id={contact.assignedSalesRepId} directory={directory} nobody="Unassigned" />
        </EditableFact>
        <EditableFact fact="status" label="Status">
          {capitalised(contact.status)}
        </EditableFact>
      </Facts>
    </PanelSection>
  )
}

function BookingSection({ contact, clock }: { contact: ContactData; clock: Clock }) {
  const { appointmentDate: day, appointmentTime: time } = contact
  const appointment = day && (time ? formatDateTime(toInstant({ day, time }, clock.timeZone), clock) : formatDay(day))
  return (
    <PanelSection title="Appointment and surgery">
      <Facts>
        <EditableFact fact="appointment" label="Appointment">
          {appointment ?? <None />}
        </EditableFact>
        <EditableFact fact="location" label="Location">
          {contact.appointmentLocation ?? <None />}
        </EditableFact>
        <EditableFact fact="surgery" label="Surgery">
          {contact.surgicalDate ? formatDay(contact.surgicalDate) : <None />}
        </EditableFact>
        <EditableFact fact="revenue" label="Revenue" className="tabular-nums">
          {contact.revenueCents === null ? <None /> : formatMoney(contact.revenueCents)}
        </EditableFact>
      </Facts>
    </PanelSection>
  )
}

/** Long texts have the whole width; anyone who may not see them reads that there may be some. */
function NotesSection({ contact, clinical }: Pick<RecordPanelProps, 'contact' | 'clinical'>) {
  if (!clinical) {
    return (
      <PanelSection title="Clinical notes">
        <p className="flex gap-2 text-sm text-fg-3">
          <Lock className="mt-0.5" />
          Billing neither sees nor changes clinical notes.
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

function OtherSection({ contact, clock, clinical }: Pick<RecordPanelProps, 'contact' | 'clock' | 'clinical'>) {
  const details = Object.entries(contact.metadata ?? {})
  return (
    <PanelSection title="Other">
      <Facts>
        <EditableFact fact="company" label="Company">
          {contact.company ?? <None />}
        </EditableFact>
        <EditableFact fact="title" label="Title">
          {contact.title ?? <None />}
        </EditableFact>
        <EditableFact fact="lastContact" label="Last contact">
          {contact.lastContactDate ? (
            <span title={formatDateTime(contact.lastContactDate, clock)}>{formatAgo(contact.lastContactDate, clock)}</span>
          ) : (
            <None>Never</None>
          )}
        </EditableFact>
        {clinical && (
          <EditableFact fact="details" label="Other details">
            {details.length === 0 ? (
              <None />
            ) : (
              details.map(([name, value]) => (
                <span key={name} className="block">
                  <span className="text-fg-3">{name}: </span>
                  {typeof value === 'string' ? value : JSON.stringify(value)}
                </span>
              ))
            )}
          </EditableFact>
        )}
        <Fact label="Added">{formatDate(contact.createdAt, clock.timeZone)}</Fact>
        <Fact label="Last changed">
          <span title={formatDateTime(contact.updatedAt, clock)}>{formatAgo(contact.updatedAt, clock)}</span>
        </Fact>
      </Facts>
    </PanelSection>
  )
}
