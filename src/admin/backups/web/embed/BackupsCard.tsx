import { useQuery } from '@tanstack/react-query'
import { ArchiveX, CircleAlert, CircleCheck, CircleX } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Client, orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { HelpLink } from '../../../../ui/display/HelpLink.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { Fact, Facts } from '../../../../ui/display/Facts.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import {
  type Clock,
  formatAgo,
  formatAgoInSentence,
  formatCount,
  formatDateTime,
  formatFileSize,
  formatTimeOfDay,
} from '../../../../ui/format.ts'
import { formatSeconds, isArchiveLate, isBackupLate } from '../../rules.ts'

type Status = Awaited<ReturnType<Client['backups']['status']>>

/** The state of the backups and the last restore drills, for administrators. */
export function BackupsCard() {
  const clock = useClock()
  const status = useQuery({ ...orpc.backups.status.queryOptions(), refetchInterval: 30_000 })
  return (
    <Section id="backups" title="Backups">
      <Asked query={status} failed="Couldn’t load the state of the backups">
        {(data) => (data.place === null ? <NotSetUp /> : <Backups status={data} place={data.place} clock={clock} />)}
      </Asked>
    </Section>
  )
}

function NotSetUp() {
  return (
    <EmptyState
      icon={<ArchiveX />}
      title="Backups are not set up"
      actions={<HelpLink to="administrator#backups">How backups work</HelpLink>}
    >
      If this server’s disk fails, everything is lost. Set BACKUP_TO to a folder on another disk or an S3 bucket, and BACKUP_PASSPHRASE, on
      the server (see the operations guide). Then restart it.
    </EmptyState>
  )
}

function Backups({ status, place, clock }: { status: Status; place: string; clock: Clock }) {
  const { at, keep, isContinuous, archivedAt, lastBackup, backups, drills } = status
  const [lastDrill] = drills
  const now = new Date(clock.now)
  return (
    <div className="flex flex-col gap-6 pt-4">
      {isBackupLate(lastBackup?.endedAt ?? null, now) && (
        <Alert
          tone="danger"
          title={lastBackup ? 'The last backup is more than a day old.' : 'No backup yet.'}
          action={<HelpLink to="administrator#backups">What to do</HelpLink>}
        >
          {backups[0]?.problem ?? 'The first backup starts within a minute of the server.'}
        </Alert>
      )}
      {lastBackup?.problem && (
        <Alert tone="warning" title="The last backup is incomplete." action={<HelpLink to="administrator#backups">What to do</HelpLink>}>
          {lastBackup.problem}
        </Alert>
      )}
      {isContinuous && lastBackup && isArchiveLate(archivedAt, now) && (
        <Alert tone="warning" title="Changes are not being archived." action={<HelpLink to="administrator#backups">What to do</HelpLink>}>
          Changes since {archivedAt ? formatDateTime(archivedAt, clock) : 'the last backup'} are on this server only. Check that the server
          can write to {place}.
        </Alert>
      )}
      <Facts>
        <Fact label="Kept in">{place}</Fact>
        <Fact label="Schedule">
          Daily at {formatTimeOfDay(at)}, the last {formatCount(keep)} kept
        </Fact>
        <Fact label="Last backup">
          {lastBackup ? (
            <>
              <Ago instant={lastBackup.endedAt} clock={clock} />
              {lastBackup.databaseBytes !== null && (
                <span className="text-fg-3">
                  {` · database ${formatFileSize(lastBackup.databaseBytes)}, ${formatFiles(lastBackup.files)}`}
                </span>
              )}
            </>
          ) : (
            <None>None</None>
          )}
        </Fact>
        {isContinuous && (
          <Fact label="Changes">
            {archivedAt ? <Ago instant={archivedAt} clock={clock} prefix="Archived " /> : <None>Not archived yet</None>}
          </Fact>
        )}
        <Fact label="Restore drill">
          {lastDrill ? (
            <Ago instant={lastDrill.endedAt} clock={clock} prefix={lastDrill.isOk ? 'Passed ' : 'Failed '} />
          ) : (
            <None>None yet, weekly</None>
          )}
        </Fact>
      </Facts>
      <History title="Restore drills" empty="The first drill follows the first backup.">
        {drills.map((drill) => (
          <Line key={drill.endedAt} isOk={drill.isOk} at={drill.endedAt} clock={clock} done="Restored" failed="Failed">
            {drill.problem ?? describeDrill(drill)}
          </Line>
        ))}
      </History>
      <History title="Recent backups" empty="No backups yet.">
        {backups.map((backup) => (
          <Line
            key={backup.endedAt}
            isOk={backup.isOk}
            isIncomplete={backup.isOk && backup.problem !== null}
            at={backup.endedAt}
            clock={clock}
            done="Verified"
            failed="Failed"
          >
            {backup.problem ??
              `Database ${formatFileSize(backup.databaseBytes ?? 0)}, ${formatFiles(backup.files)}, ` +
                `${formatFileSize(backup.copiedBytes ?? 0)} copied in ${formatSeconds(backup.seconds ?? 0)}`}
          </Line>
        ))}
      </History>
    </div>
  )
}

const formatFiles = (count: number | null): string => `${formatCount(count ?? 0)} ${count === 1 ? 'file' : 'files'}`

function describeDrill({ restoredSeconds, lostSeconds, patients, auditEntries, filesRead }: Status['drills'][number]): string {
  const read = `${formatFiles(filesRead)} read back`
  if (restoredSeconds === null) return `The dump and ${read}.`
  return (
    `Patients: ${formatCount(patients ?? 0)}. Audit entries: ${formatCount(auditEntries ?? 0)}. Running after ${formatSeconds(restoredSeconds)}, ${read}. ` +
    `Changes of the last ${formatSeconds(lostSeconds ?? 0)} would have been lost.`
  )
}

function History({ title, empty, children }: { title: string; empty: string; children: ReactNode[] }) {
  return (
    <section aria-label={title}>
      <h3 className="border-b border-line pb-2 text-md font-semibold text-fg">{title}</h3>
      {children.length > 0 ? <ul aria-label={title}>{children}</ul> : <p className="py-3 text-sm text-fg-2">{empty}</p>}
    </section>
  )
}

interface LineProps {
  isOk: boolean
  isIncomplete?: boolean
  at: Status['backups'][number]['endedAt']
  clock: Clock
  done: string
  failed: string
  children: ReactNode
}

function Line({ isOk, isIncomplete = false, at, clock, done, failed, children }: LineProps) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-b border-line py-2.5 text-sm">
      <span className="w-44 flex-none text-fg">{formatDateTime(at, clock)}</span>
      {isIncomplete ? (
        <Badge tone="warning" icon={<CircleAlert />}>
          Incomplete
        </Badge>
      ) : (
        <Badge tone={isOk ? 'success' : 'danger'} icon={isOk ? <CircleCheck /> : <CircleX />}>
          {isOk ? done : failed}
        </Badge>
      )}
      <span className="min-w-0 flex-1 basis-72 text-fg-2">{children}</span>
    </li>
  )
}

function Ago({ instant, clock, prefix = '' }: { instant: Status['backups'][number]['endedAt']; clock: Clock; prefix?: string }) {
  return (
    <time dateTime={new Date(instant).toISOString()} title={formatDateTime(instant, clock)}>
      {prefix ? `${prefix}${formatAgoInSentence(instant, clock)}` : formatAgo(instant, clock)}
    </time>
  )
}

const None = ({ children }: { children: string }) => <span className="text-fg-3">{children}</span>
