import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CircleDashed, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Client, orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Badge, type BadgeTone } from '../../../../ui/display/Badge.tsx'
import { HelpLink } from '../../../../ui/display/HelpLink.tsx'
import { Fact, Facts } from '../../../../ui/display/Facts.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import {
  type Clock,
  formatAge,
  formatAgo,
  formatAgoInSentence,
  formatCount,
  formatDateTime,
  formatFileSize,
} from '../../../../ui/format.ts'
import { describeVendorFailure, vendorNames } from '../../rules.ts'

type Status = Awaited<ReturnType<Client['system']['status']>>

/** How the server is doing, for administrators. */
export function SystemCard() {
  const clock = useClock()
  const status = useQuery(orpc.system.status.queryOptions({ staleTime: 0 }))
  const refresh = (
    <Button icon={<RefreshCw />} busy={status.isFetching} onClick={() => void status.refetch()}>
      Refresh
    </Button>
  )
  return (
    <Section id="system" title="System status" actions={status.data && refresh}>
      <Asked query={status} failed="Couldn’t load the system status">
        {(data) => (
          <>
            <Server status={data} clock={clock} />
            <Jobs queue={data.queue} clock={clock} />
            {data.sequences.length > 0 && <Sequences sequences={data.sequences} />}
            <Systems systems={data.systems} clock={clock} />
            <Failures failures={data.failures} clock={clock} />
          </>
        )}
      </Asked>
    </Section>
  )
}

function Part({ id, title, description, children }: { id: string; title: string; description?: ReactNode; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="border-t border-line py-5 first-of-type:border-t-0">
      <h3 id={id} className="text-md font-semibold text-fg">
        {title}
      </h3>
      {description && <p className="max-w-[60ch] pt-1 text-sm text-fg-2">{description}</p>}
      {children}
    </section>
  )
}

const migrationTexts = {
  current: 'Current',
  behind: 'Some are missing: restart Refyne, which runs them.',
  ahead: 'Made by a later version: update this server.',
}

function Server({ status, clock }: { status: Status; clock: Clock }) {
  const { version, commit, node, startedAt, processes, database, disk, backups, files } = status
  return (
    <Part id="system-server" title="Server">
      <Facts className="pt-3">
        <Fact label="Version">{commit ? `${version} (${commit})` : version}</Fact>
        <Fact label="Running for">
          <span title={formatDateTime(startedAt, clock)}>{formatAge(startedAt, clock)}</span>
        </Fact>
        {processes !== null && <Fact label="Processes">{formatCount(processes)}</Fact>}
        <Fact label="Node.js">{node}</Fact>
        <Fact label="PostgreSQL">{database.version}</Fact>
        <Fact label="Database size">{formatFileSize(database.bytes)}</Fact>
        <Fact label="Migrations">{database.migrations === null ? 'Unknown' : migrationTexts[database.migrations]}</Fact>
        <Fact label="Free disk space">
          {disk ? `${formatFileSize(disk.freeBytes)} of ${formatFileSize(disk.totalBytes)}` : 'Unknown: check that DATA_DIR exists.'}
        </Fact>
        <Fact label="Last backup">
          {backups === null ? (
            'Not set up'
          ) : backups.backupAt === null ? (
            'None yet'
          ) : (
            <span title={formatDateTime(backups.backupAt, clock)}>{formatAgo(backups.backupAt, clock)}</span>
          )}
        </Fact>
        {backups?.archivedAt && (
          <Fact label="Changes archived">
            <span title={formatDateTime(backups.archivedAt, clock)}>{formatAgo(backups.archivedAt, clock)}</span>
          </Fact>
        )}
        {files && (
          <Fact label="File encryption">
            <span title={`Counted ${formatDateTime(files.countedAt, clock)}`}>
              {files.remaining === 0 ? 'All with the current key' : `${formatCount(files.remaining)} wait for the current key`}
            </span>
          </Fact>
        )}
      </Facts>
    </Part>
  )
}

function Jobs({ queue, clock }: { queue: Status['queue']; clock: Clock }) {
  return (
    <Part id="system-jobs" title="Background jobs">
      <Facts className="pt-3">
        <Fact label="Waiting">{formatCount(queue.waiting)}, including scheduled ones</Fact>
        <Fact label="Oldest due">
          {queue.oldestDueAt === null ? (
            'None overdue'
          ) : (
            <span title={formatDateTime(queue.oldestDueAt, clock)}>{formatAgo(queue.oldestDueAt, clock)}</span>
          )}
        </Fact>
      </Facts>
      {queue.failed.length === 0 ? (
        <p className="pt-3 text-sm text-fg-2">No job has failed permanently.</p>
      ) : (
        <ul aria-label="Failed jobs" className="pt-3">
          {queue.failed.map(({ job, count, lastErrorKind }) => (
            <Line
              key={job}
              name={job}
              detail={lastErrorKind && `Last error: ${lastErrorKind}`}
              badge={{ tone: 'danger', text: `${formatCount(count)} failed`, icon: <CircleAlert /> }}
            />
          ))}
        </ul>
      )}
    </Part>
  )
}

function Sequences({ sequences }: { sequences: Status['sequences'] }) {
  return (
    <Part id="system-sequences" title="Sequences">
      <ul aria-label="Sequences with problems" className="pt-3">
        {sequences.map(({ id, name, problem }) => (
          <Line key={id} name={name} detail={problem} badge={{ tone: 'danger', text: 'Needs attention', icon: <CircleAlert /> }} />
        ))}
      </ul>
    </Part>
  )
}

const badges: Record<Status['systems'][number]['state'], { tone: BadgeTone; text: string; icon: ReactNode }> = {
  off: { tone: 'neutral', text: 'Not set up', icon: <CircleDashed /> },
  unused: { tone: 'neutral', text: 'Not used yet', icon: <CircleDashed /> },
  working: { tone: 'success', text: 'Working', icon: <CircleCheck /> },
  failing: { tone: 'danger', text: 'Failing', icon: <CircleAlert /> },
}

function Systems({ systems, clock }: { systems: Status['systems']; clock: Clock }) {
  return (
    <Part
      id="system-connections"
      title="Connections"
      description="What this process has seen since it started. You can test a connection under Integrations."
    >
      {systems.some(({ state }) => state === 'failing') && (
        <HelpLink to="administrator#tests-and-failures-of-connections">What to do about a failing connection</HelpLink>
      )}
      <ul aria-label="Connections" className="pt-3">
        {systems.map(({ vendor, state, failure, lastResponseAt, failingSince }) => (
          <Line
            key={vendor}
            name={vendorNames[vendor]}
            detail={
              <>
                {failure && describeVendorFailure(vendor, failure)}
                {failure && failingSince && <span className="block text-fg-3">Failing since {formatDateTime(failingSince, clock)}</span>}
                {!failure && lastResponseAt && `Last response ${formatAgoInSentence(lastResponseAt, clock)}`}
              </>
            }
            badge={badges[state]}
          />
        ))}
      </ul>
    </Part>
  )
}

function Failures({ failures, clock }: { failures: Status['failures']; clock: Clock }) {
  return (
    <Part
      id="system-errors"
      title="Recent errors"
      description="Kinds of warnings and errors in this process’s log since it started. Search the log for the request ID to see more."
    >
      {failures.length === 0 ? (
        <p className="pt-3 text-sm text-fg-2">No errors since the start.</p>
      ) : (
        <ul aria-label="Recent errors" className="pt-3">
          {failures.map(({ message, kind, where, count, lastAt, level, requestId }) => (
            <Line
              key={[message, kind, where].join(' ')}
              name={message}
              detail={
                <>
                  {[where, kind].filter(Boolean).join(' · ')}
                  {(where ?? kind) && ' · '}
                  <span title={formatDateTime(lastAt, clock)}>{formatAgo(lastAt, clock)}</span>
                  {requestId && <span className="block wrap-anywhere text-fg-3">Request ID {requestId}</span>}
                </>
              }
              badge={{ tone: level === 'error' ? 'danger' : 'warning', text: `${formatCount(count)} ×`, icon: null }}
            />
          ))}
        </ul>
      )}
    </Part>
  )
}

interface LineProps {
  name: string
  detail: ReactNode
  badge: { tone: BadgeTone; text: string; icon: ReactNode }
}

function Line({ name, detail, badge }: LineProps) {
  return (
    <li className="flex items-start justify-between gap-4 border-b border-line py-3 last:border-b-0">
      <div className="min-w-0 flex-1">
        <p className="text-md font-medium wrap-anywhere text-fg">{name}</p>
        <p className="max-w-[60ch] text-sm text-fg-2">{detail}</p>
      </div>
      <Badge tone={badge.tone} icon={badge.icon} className="tabular-nums">
        {badge.text}
      </Badge>
    </li>
  )
}
