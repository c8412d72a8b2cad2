import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarSync } from 'lucide-react'
import { useState } from 'react'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { formatDateTime } from '../../../../ui/format.ts'
import { CopyField } from '../../../../ui/controls/CopyField.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'

/** The user's calendar feed, for roles that see patients. */
export function CalendarFeedCard() {
  return usePermission()('calendarFeeds.create') ? <Card /> : null
}

function Card() {
  const clock = useClock()
  const cache = useQueryClient()
  const options = orpc.calendarFeeds.mine.queryOptions()
  const mine = useQuery(options)
  /** Only shown until the page is left. */
  const [url, setUrl] = useState<string | null>(null)
  const [confirming, setConfirming] = useState<'make' | 'revoke' | null>(null)
  const make = useMutation(
    orpc.calendarFeeds.create.mutationOptions({
      onSuccess(made) {
        setUrl(made.url)
        setConfirming(null)
        cache.setQueryData(options.queryKey, { feed: made.feed })
      },
      onError: (error) => toast.error('Couldn’t create the link', messageOf(error)),
    }),
  )
  const revoke = useMutation(
    orpc.calendarFeeds.revoke.mutationOptions({
      onSuccess() {
        setUrl(null)
        setConfirming(null)
        cache.setQueryData(options.queryKey, { feed: null })
        toast.success('Link revoked')
      },
      onError: (error) => toast.error('Couldn’t revoke the link', messageOf(error)),
    }),
  )
  const feed = mine.data?.feed
  return (
    <Section
      id="calendar-feed"
      title="Calendar feed"
      actions={
        feed && (
          <span className="flex gap-2">
            <Button onClick={() => setConfirming('make')}>Replace link</Button>
            <Button variant="danger" onClick={() => setConfirming('revoke')}>
              Revoke
            </Button>
          </span>
        )
      }
    >
      <Asked query={mine} failed="Couldn’t load this">
        {() =>
          feed ? (
            <div className="flex flex-col gap-3 pt-3">
              {url && (
                <CopyField label="Private link" value={url} isSecret>
                  Copy it now: it is not shown again. Anyone who has it can read your calendar. Add it to your calendar program as an
                  internet calendar.
                </CopyField>
              )}
              <p className="text-sm text-fg-2">
                Created {formatDateTime(feed.createdAt, clock)},{' '}
                {feed.readAt ? `last fetched ${formatDateTime(feed.readAt, clock)}` : 'not fetched yet.'}
                {!url && ' The link is only shown when it is created. If you need it again, replace it.'}
              </p>
            </div>
          ) : (
            <EmptyState
              icon={<CalendarSync />}
              title="No calendar feed yet"
              actions={
                <Button busy={make.isPending} busyLabel="Creating…" onClick={() => make.mutate(undefined)}>
                  Create private link
                </Button>
              }
            >
              A program such as Outlook, Google Calendar or your phone can subscribe to your appointments and surgeries. It shows the type
              of visit, the patient’s initials and the room.
            </EmptyState>
          )
        }
      </Asked>
      {confirming && (
        <ConfirmDialog
          onClose={() => setConfirming(null)}
          title={confirming === 'make' ? 'Replace the link?' : 'Revoke the link?'}
          action={{ label: confirming === 'make' ? 'Replace link' : 'Revoke link', isDanger: confirming === 'revoke' }}
          isBusy={make.isPending || revoke.isPending}
          onConfirm={() => (confirming === 'make' ? make.mutate(undefined) : revoke.mutate(undefined))}
        >
          Calendar programs that use the current link will no longer be updated.
        </ConfirmDialog>
      )}
    </Section>
  )
}
