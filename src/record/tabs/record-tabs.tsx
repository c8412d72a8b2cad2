import type { ReactNode } from 'react'
import { Badge } from '../../ui/display/Badge.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import type { Clock } from '../../ui/format.ts'
import type { TabItem } from '../../ui/display/Tabs.tsx'
import { useMay } from '../../ui/client/useMay.ts'
import { AccountTab } from '../../billing/collections/web/embed/AccountTab.tsx'
import { DocumentsTab } from '../../documents/web/embed/DocumentsTab.tsx'
import { useDocuments } from '../../documents/web/embed/useDocuments.ts'
import { isSurgeryBooked } from '../../care/surgeries/rules.ts'
import type { SpecialistConsult } from '../../care/surgeries/web/embed/PatientSurgeries.tsx'
import { usePatientTasks } from '../../crm/tasks/web/embed/usePatientTasks.ts'
import type { ContactData } from '../../crm/contacts/web/embed/contact-data.ts'
import { byId, type Directory } from '../../crm/contacts/web/embed/directory.ts'
import type { AddressedTab } from '../patient-search.ts'

const PatientTasks = lazyPart(() => import('../../crm/tasks/web/embed/PatientTasks.tsx').then((file) => file.PatientTasks))
const PatientMessages = lazyPart(() => import('../../messages/inbox/web/embed/PatientMessages.tsx').then((file) => file.PatientMessages))
const PatientAppointments = lazyPart(() =>
  import('../../care/appointments/web/embed/PatientAppointments.tsx').then((file) => file.PatientAppointments),
)
const PatientSurgeries = lazyPart(() => import('../../care/surgeries/web/embed/PatientSurgeries.tsx').then((file) => file.PatientSurgeries))
const PatientQuotes = lazyPart(() => import('../../billing/quotes/web/embed/PatientQuotes.tsx').then((file) => file.PatientQuotes))
const SeenBy = lazyPart(() => import('../../admin/audit-log/web/embed/SeenBy.tsx').then((file) => file.SeenBy))
const PatientHistory = lazyPart(() => import('./PatientHistory.tsx').then((file) => file.PatientHistory))

/** A tab of the record besides the timeline and the details. */
export interface RecordTab extends TabItem<AddressedTab> {
  /** Of its panel. */
  className: string
  /** What it shows; made once it is opened. */
  show: () => ReactNode
}

/** With the gutters of the page. */
const padded = 'min-w-0 px-4 py-4 md:px-6'
/** Of what brings sections of its own, made for a panel. */
const sections = 'min-w-0 [&_section]:border-b-0 [&_section]:px-4 md:[&_section]:px-6'

interface Around {
  contact: ContactData
  directory: Directory
  clock: Clock
}

/**
 * The tabs that anyone who is signed in may see, in their order. A further one is an entry here and a name in patient-search.ts; its code is
 * fetched when it is opened, or a pointer comes near.
 */
export function useRecordTabs({ contact, directory, clock }: Around): RecordTab[] {
  const may = useMay()
  const { open, tasks } = usePatientTasks(contact.id)
  const documents = useDocuments(contact.id)
  const toReview = documents.documents.data?.filter(({ reviewState }) => reviewState === 'pending').length ?? 0
  const all: (RecordTab & { isHidden?: boolean })[] = [
    {
      value: 'tasks',
      label: 'Tasks',
      count: tasks.data && open.length > 0 ? open.length : undefined,
      prepare: PatientTasks.prepare,
      className: sections,
      show: () => <PatientTasks patient={contact} clock={clock} />,
    },
    {
      value: 'messages',
      label: 'Messages',
      isHidden: !may('inbox.conversations'),
      prepare: PatientMessages.prepare,
      className: 'min-w-0',
      show: () => <PatientMessages patient={contact} clock={clock} />,
    },
    {
      value: 'appointments',
      label: 'Appointments',
      isHidden: !may('appointments.ofContact'),
      prepare: PatientAppointments.prepare,
      className: sections,
      show: () => <PatientAppointments patient={contact} clock={clock} />,
    },
    {
      value: 'surgery',
      label: 'Surgery',
      isHidden: !may('surgeries.ofContact'),
      prepare: PatientSurgeries.prepare,
      className: `${sections} max-w-180`,
      show: () => <PatientSurgeries patient={contact} specialistConsult={consultOf(contact, directory)} clock={clock} />,
    },
    {
      value: 'account',
      label: 'Quotes and payments',
      isHidden: !may('collections.account'),
      prepare() {
        PatientQuotes.prepare()
        AccountTab.prepare()
      },
      className: padded,
      show: () => (
        <>
          <PatientQuotes patient={contact} />
          <div className="max-w-160">
            <AccountTab patient={contact} />
          </div>
        </>
      ),
    },
    {
      value: 'documents',
      label: 'Documents',
      count: documents.documents.data?.length,
      badge: toReview > 0 && <Badge tone="warning">{`${toReview} to review`}</Badge>,
      className: padded,
      show: () => <DocumentsTab contactId={contact.id} people={directory.people} {...documents} />,
    },
    {
      value: 'history',
      label: 'History',
      isHidden: !may('contacts.history'),
      prepare: PatientHistory.prepare,
      className: padded,
      show: () => (
        <>
          <PatientHistory contactId={contact.id} directory={directory} clock={clock} />
          {may('audit.seen') && (
            <div className="pt-4">
              <SeenBy contactId={contact.id} clock={clock} />
            </div>
          )}
        </>
      ),
    },
  ]
  return all.filter(({ isHidden }) => !isHidden)
}

/** The specialist consult that the checklist names: one is required and surgery is booked (spec 4). */
function consultOf(contact: ContactData, { stages }: Directory): SpecialistConsult | null {
  const isWonStage = byId(stages, contact.funnelStageId)?.kind === 'won'
  if (!contact.requiresSpecialistConsult || !isSurgeryBooked(isWonStage, contact)) return null
  return {
    type: contact.specialistConsultType,
    isReceived: contact.specialistResultsReceived,
    receivedOn: contact.specialistResultsDate,
  }
}
