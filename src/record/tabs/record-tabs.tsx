import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Badge } from '../../ui/display/Badge.tsx'
import { lazySection } from '../../ui/lazy-section.tsx'
import type { Clock } from '../../ui/format.ts'
import type { TabItem } from '../../ui/display/Tabs.tsx'
import { orpc } from '../../ui/client/api.ts'
import { usePermission } from '../../ui/client/usePermission.ts'
import { whenIdle } from '../../ui/client/when-idle.ts'
import { AccountTab } from '../../billing/collections/web/embed/AccountTab.tsx'
import { DocumentsTab } from '../../documents/web/embed/DocumentsTab.tsx'
import { useDocuments } from '../../documents/web/embed/useDocuments.ts'
import { isSurgeryBooked } from '../../care/surgeries/rules.ts'
import type { SpecialistConsult } from '../../care/surgeries/web/embed/PatientSurgeries.tsx'
import { usePatientTasks } from '../../crm/tasks/web/embed/usePatientTasks.ts'
import type { ContactData } from '../../crm/contacts/web/embed/contact-data.ts'
import { byId, type Directory } from '../../crm/contacts/web/embed/directory.ts'
import type { UrlTab } from '../patient-search.ts'

const ChartTab = lazySection(() => import('./ChartTab.tsx').then((file) => file.ChartTab))
const PhotosTab = lazySection(() => import('../../chart/photo-uses/web/embed/PhotosTab.tsx').then((file) => file.PhotosTab))
const PatientTasks = lazySection(() => import('../../crm/tasks/web/embed/PatientTasks.tsx').then((file) => file.PatientTasks))
const PatientMessages = lazySection(() => import('../../messages/inbox/web/embed/PatientMessages.tsx').then((file) => file.PatientMessages))
const PatientAppointments = lazySection(() =>
  import('../../care/appointments/web/embed/PatientAppointments.tsx').then((file) => file.PatientAppointments),
)
const PatientSurgeries = lazySection(() =>
  import('../../care/surgeries/web/embed/PatientSurgeries.tsx').then((file) => file.PatientSurgeries),
)
const UseTablet = lazySection(() => import('../../portal/tablet/web/embed/PatientTablet.tsx').then((file) => file.UseTablet))
const TabletState = lazySection(() => import('../../portal/tablet/web/embed/PatientTablet.tsx').then((file) => file.TabletState))
const PatientForms = lazySection(() => import('../../chart/forms/web/embed/PatientForms.tsx').then((file) => file.PatientForms))
const PatientQuotes = lazySection(() => import('../../billing/quotes/web/embed/PatientQuotes.tsx').then((file) => file.PatientQuotes))
const AccessLog = lazySection(() => import('../../admin/audit-log/web/embed/AccessLog.tsx').then((file) => file.AccessLog))
const PatientHistory = lazySection(() => import('./PatientHistory.tsx').then((file) => file.PatientHistory))

/** A tab of the record other than the timeline and the details. */
export interface RecordTab extends TabItem<UrlTab> {
  /** Class name of the panel. */
  className: string
  /** Whether people decide about the patient's care here: allergies and alerts are shown above. */
  isClinical?: true
  /** Takes the width of the side panel, too. */
  isWide?: true
  /** Renders the content once the tab is opened. */
  render: () => ReactNode
}

/** With the page's margins. */
const padded = 'min-w-0 px-4 py-4 md:px-6'
/** For content made of panel sections. */
const sections = 'min-w-0 [&_section]:border-b-0 [&_section]:px-4 md:[&_section]:px-6'

interface RecordTabsInput {
  contact: ContactData
  directory: Directory
  clock: Clock
}

/**
 * The tabs that the user may see, in order. To add one, add an entry here and a name in patient-search.ts. Its code is loaded when the tab
 * is opened or hovered.
 */
export function useRecordTabs({ contact, directory, clock }: RecordTabsInput): RecordTab[] {
  const may = usePermission()
  const { open, tasks } = usePatientTasks(contact.id)
  const documents = useDocuments(contact.id)
  const hasPhotos = may('photos.seriesOfContact')
  // Loaded before it is needed: with its code a series opens too late on a slow device.
  useEffect(() => (hasPhotos ? whenIdle(PhotosTab.prepare) : undefined), [hasPhotos])
  const reviewCount = documents.documents.data?.filter(({ reviewState }) => reviewState === 'pending').length ?? 0
  const all: (RecordTab & { isHidden?: boolean })[] = [
    {
      value: 'chart',
      label: 'Chart',
      isHidden: !may('health.get'),
      prepare: ChartTab.prepare,
      className: 'min-w-0',
      isClinical: true,
      isWide: true,
      render: () => <ChartTab patient={contact} clock={clock} />,
    },
    {
      value: 'photos',
      label: 'Photos',
      isHidden: !hasPhotos,
      prepare: PhotosTab.prepare,
      className: 'min-w-0',
      isClinical: true,
      isWide: true,
      render: () => <Photos patient={contact} directory={directory} />,
    },
    {
      value: 'tasks',
      label: 'Tasks',
      count: tasks.data && open.length > 0 ? open.length : undefined,
      prepare: PatientTasks.prepare,
      className: sections,
      render: () => <PatientTasks patient={contact} clock={clock} />,
    },
    {
      value: 'messages',
      label: 'Messages',
      isHidden: !may('inbox.conversations'),
      prepare: PatientMessages.prepare,
      className: 'min-w-0',
      render: () => <PatientMessages patient={contact} clock={clock} />,
    },
    {
      value: 'appointments',
      label: 'Appointments',
      isHidden: !may('appointments.ofContact'),
      prepare: PatientAppointments.prepare,
      className: sections,
      isClinical: true,
      render: () => <PatientAppointments patient={contact} clock={clock} />,
    },
    {
      value: 'surgery',
      label: 'Surgery',
      isHidden: !may('surgeries.ofContact'),
      prepare: PatientSurgeries.prepare,
      className: `${sections} max-w-180`,
      isClinical: true,
      render: () => <PatientSurgeries patient={contact} specialistConsult={getSpecialistConsult(contact, directory)} clock={clock} />,
    },
    {
      value: 'forms',
      label: 'Forms',
      isHidden: !may('forms.ofContact'),
      prepare() {
        PatientForms.prepare()
        UseTablet.prepare()
      },
      className: padded,
      isClinical: true,
      render: () => (
        <PatientForms patient={contact} actions={may('tablet.open') && <UseTablet patient={contact} />}>
          <TabletState contactId={contact.id} />
        </PatientForms>
      ),
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
      render: () => (
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
      badge: reviewCount > 0 && <Badge tone="warning">{`${reviewCount} to review`}</Badge>,
      className: padded,
      isClinical: true,
      render: () => <DocumentsTab contactId={contact.id} people={directory.people} {...documents} />,
    },
    {
      value: 'history',
      label: 'History',
      isHidden: !may('contacts.history'),
      prepare: PatientHistory.prepare,
      className: padded,
      render: () => (
        <>
          <PatientHistory contactId={contact.id} directory={directory} clock={clock} />
          {may('audit.seen') && (
            <div className="pt-4">
              <AccessLog contactId={contact.id} clock={clock} />
            </div>
          )}
        </>
      ),
    },
  ]
  return all.filter(({ isHidden }) => !isHidden)
}

/** The specialist consult shown in the checklist, if one is required and surgery is booked (spec 4). */
function getSpecialistConsult(contact: ContactData, { stages }: Directory): SpecialistConsult | null {
  const isWonStage = byId(stages, contact.funnelStageId)?.kind === 'won'
  if (!contact.requiresSpecialistConsult || !isSurgeryBooked(isWonStage, contact)) return null
  return {
    type: contact.specialistConsultType,
    isReceived: contact.specialistResultsReceived,
    receivedOn: contact.specialistResultsDate,
  }
}

/** Asks for the photos beside the code that shows them. The code is loaded on hover too; the photos are not, because the access log keeps each view. */
function Photos({ patient, directory }: { patient: ContactData; directory: Directory }) {
  const cache = useQueryClient()
  const may = usePermission()
  useState(() => {
    if (may('photos.ofContact')) void cache.prefetchQuery(orpc.photos.ofContact.queryOptions({ input: { contactId: patient.id } }))
  })
  return <PhotosTab patient={patient} directory={directory} />
}
