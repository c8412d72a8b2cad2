import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { useCallback, useState, type ReactNode } from 'react'
import { AllergyBanner } from '../chart/health/web/embed/AllergyBanner.tsx'
import { Composer } from '../crm/interactions/web/embed/Composer.tsx'
import { PatientTimeline } from '../crm/interactions/web/embed/PatientTimeline.tsx'
import { StageHistory } from '../crm/pipeline/web/embed/StageHistory.tsx'
import { StageProgress } from '../crm/pipeline/web/embed/StageProgress.tsx'
import { type Crumb, TopbarTitle } from '../ui/layout/TopbarTitle.tsx'
import { useClock, useSession } from '../ui/client/session.ts'
import { cn } from '../ui/cn.ts'
import { formatCount } from '../ui/format.ts'
import { type TabItem, TabPanel, Tabs } from '../ui/display/Tabs.tsx'
import { useMedia, usePhone } from '../ui/hooks/useMedia.ts'
import { usePermission } from '../ui/client/usePermission.ts'
import { createTask } from '../crm/tasks/web/embed/task-dialog.ts'
import { seesClinicalNotes } from '../crm/contacts/policy.ts'
import { type ContactData, fullName } from '../crm/contacts/web/embed/contact-data.ts'
import { byId } from '../crm/contacts/web/embed/directory.ts'
import { useDirectory } from '../crm/contacts/web/embed/useDirectory.ts'
import { positionOf, recallPlace } from '../crm/contacts/web/embed/list-place.ts'
import { useLostReason } from '../crm/contacts/web/embed/lost/useLostReason.tsx'
import { useContactChange } from '../crm/contacts/web/embed/useContactChange.ts'
import { EditingContext, useFactEditing } from './edit/editing.ts'
import { NewMessageDialog, RecordActions, RecordHeader } from './RecordHeader.tsx'
import { RecordPanel } from './RecordPanel.tsx'
import { NoSuchPatient, RecordFailed, RecordSkeleton } from '../crm/contacts/web/embed/RecordStates.tsx'
import { RecordPager } from './RecordPager.tsx'
import { type UrlTab, isUrlTab } from './patient-search.ts'
import { SpecialistAlert } from './SpecialistAlert.tsx'
import { useRecordTabs } from './tabs/record-tabs.tsx'
import { useContactRecord } from './useContactRecord.ts'

/** /contacts/{id}, the patient (spec 2). */
export default function RecordPage(): ReactNode {
  const { id } = useParams({ from: '/staff/contacts/$id' })
  const record = useContactRecord(id)
  const { contact, query, isMissing } = record
  return (
    <>
      {isMissing ? (
        <TopbarTitle title="Patient not found" />
      ) : (
        <TopbarTitle title={contact ? fullName(contact) : 'Patient'} section="Patients" crumbs={getCrumbs(id)}>
          <RecordPager id={id} />
        </TopbarTitle>
      )}
      {isMissing ? (
        <NoSuchPatient />
      ) : contact ? (
        <Patient key={id} contact={contact} history={record.history} onChanged={record.refresh} />
      ) : query.error ? (
        <RecordFailed error={query.error} retrying={query.isFetching} onRetry={() => void query.refetch()} />
      ) : (
        <RecordSkeleton />
      )}
    </>
  )
}

/** 'Patients / 12 of 312' when the patient was opened from the list; the name is shown below and not repeated here. */
function getCrumbs(id: string): Crumb[] {
  const place = recallPlace()
  const at = positionOf(id)
  const patients: Crumb = { label: 'Patients', link: { to: '/contacts', search: place?.search ?? {} } }
  if (!at) return [patients]
  return [patients, { label: `${formatCount(at.position)} of ${formatCount(at.total)}${at.totalIsExact ? '' : '+'}` }]
}

type View = 'timeline' | UrlTab | 'details'

interface PatientProps {
  contact: ContactData
  history: ReturnType<typeof useContactRecord>['history']
  onChanged: () => void
}

function Patient({ contact, history, onChanged }: PatientProps) {
  const { user } = useSession()
  const directory = useDirectory()
  const clock = useClock()
  const phone = usePhone()
  const hasPanel = useMedia('(width >= 72rem)')
  const tabs = useRecordTabs({ contact, directory, clock })
  const [view, setView] = useView(
    hasPanel,
    tabs.map(({ value }) => value),
  )
  const change = useContactChange(contact, directory, onChanged)
  const editing = useFactEditing(contact, directory, change)
  const clinical = seesClinicalNotes(user)
  const mayWrite = usePermission()('inbox.start')
  const [isWriting, setWriting] = useState(false)
  const [isCalling, setCalling] = useState(false)
  const endCalling = useCallback(() => setCalling(false), [])
  const { stages, people } = directory
  const { moveTo, dialog } = useLostReason()

  /** The notes about a call come next. */
  function call() {
    setView('timeline')
    setCalling(clinical)
  }

  function move(stageId: string) {
    const stage = byId(stages, stageId)
    if (!stage) return
    moveTo(stage, fullName(contact), (lostReason) => {
      void change({
        fields: { funnelStage: stageId, lostReason },
        expected: { funnelStageId: stageId, stageEnteredAt: new Date(clock.now).toISOString(), lostReason },
        done: `${fullName(contact)} moved to ${stage.name}`,
        failed: 'The stage was not changed',
        undo: { funnelStage: contact.funnelStageId, lostReason: contact.lostReason },
      })
    })
  }

  const items: TabItem<View>[] = [{ value: 'timeline', label: 'Timeline' }, ...tabs]
  if (!hasPanel) items.push({ value: 'details', label: 'Details' })
  const tab = tabs.find(({ value }) => value === view)
  const hasSidePanel = hasPanel && !tab?.isWide
  const showsPanel = hasSidePanel || view === 'details'

  return (
    <EditingContext value={editing}>
      <div data-scroll-restoration-id="patient" className="relative min-h-0 flex-1 overflow-y-auto">
        <div className="flex flex-col gap-4 px-4 pt-4 pb-2 md:gap-5 md:px-6 md:pt-4.5">
          <RecordHeader contact={contact} directory={directory} clock={clock} onMove={move} onCall={call} />
          <div>
            <StageProgress
              stages={stages}
              history={history}
              currentId={contact.funnelStageId}
              stageEnteredAt={contact.stageEnteredAt}
              lostReason={contact.lostReason}
              clock={clock}
              onMove={move}
            />
            {phone && <RecordActions contact={contact} directory={directory} clock={clock} onMove={move} onCall={call} />}
          </div>
        </div>
        {dialog}
        {isWriting && <NewMessageDialog patient={contact} onClose={() => setWriting(false)} />}
        <Tabs
          aria-label="Patient"
          value={view}
          onValueChange={setView}
          items={items}
          actions={<StageHistory stages={stages} people={people} history={history} clock={clock} />}
        >
          {tab?.isClinical && <AllergyBanner contactId={contact.id} />}
          <div className={hasSidePanel ? 'grid grid-cols-[minmax(0,1fr)_var(--panel)]' : undefined}>
            <TabPanel value="timeline" className="min-w-0 px-4 py-4 md:px-6">
              <div className="flex flex-col gap-3">
                <SpecialistAlert contact={contact} clock={clock} change={change} />
                {clinical ? (
                  <Composer
                    contactId={contact.id}
                    onLogged={onChanged}
                    onEmail={mayWrite ? () => setWriting(true) : undefined}
                    onTask={() => createTask(contact)}
                    isCalling={isCalling}
                    onCallShown={endCalling}
                  />
                ) : (
                  <NoClinicalNotes admins={people.filter(({ role }) => role === 'admin')} />
                )}
              </div>
              <PatientTimeline
                contactId={contact.id}
                firstName={contact.firstName}
                people={people}
                stages={stages}
                history={history}
                clock={clock}
                clinical={clinical}
              />
            </TabPanel>
            {tabs.map(({ value, className, render }) => (
              <TabPanel key={value} value={value} className={className}>
                {view === value && render()}
              </TabPanel>
            ))}
            {/* Always mounted, so that unsaved input survives rotating a tablet or switching tabs. */}
            <TabPanel
              value="details"
              forceMount
              {...(hasPanel && { role: 'complementary', 'aria-labelledby': undefined, 'aria-label': 'Details', tabIndex: -1 })}
              className={cn(hasPanel ? 'border-l border-line' : '[&_section]:px-4 md:[&_section]:px-6', !showsPanel && 'hidden')}
            >
              <RecordPanel
                contact={contact}
                directory={directory}
                clock={clock}
                change={change}
                clinical={clinical}
                onShow={() => !hasPanel && setView('details')}
                onCall={call}
              />
            </TabPanel>
          </div>
        </Tabs>
      </div>
    </EditingContext>
  )
}

/** The open tab, if the user may see it. Details is a tab only where there is no room for the side panel. */
function useView(hasPanel: boolean, visible: readonly UrlTab[]): [View, (view: View) => void] {
  const { tab } = useSearch({ from: '/staff/contacts/$id' })
  const navigate = useNavigate()
  const [local, setLocal] = useState<'timeline' | 'details'>('timeline')
  return [
    (tab && visible.includes(tab) ? tab : undefined) ?? (hasPanel ? 'timeline' : local),
    (view) => {
      const next = isUrlTab(view) ? view : undefined
      if (view === 'timeline' || view === 'details') setLocal(view)
      if (next !== tab) void navigate({ to: '.', search: { tab: next }, replace: true, resetScroll: false })
    },
  ]
}

/** Shown instead of the composer to roles that cannot see clinical notes. */
function NoClinicalNotes({ admins }: { admins: readonly { fullName: string }[] }) {
  const names = new Intl.ListFormat('en-CA', { type: 'disjunction' }).format(admins.slice(0, 3).map(({ fullName }) => fullName))
  return (
    <p className="flex gap-2 text-sm text-fg-2">
      <Lock className="mt-0.5 text-fg-3" />
      <span>The billing role cannot see clinical notes. Ask an administrator if you need them{names && `: ${names}`}.</span>
    </p>
  )
}
