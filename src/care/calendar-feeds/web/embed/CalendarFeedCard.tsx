import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarSync } from 'lucide-react'
import { useState } from 'react'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { formatDateTime } from '../../../../ui/format.ts'
import { SecretField } from '../../../../ui/controls/SecretField.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { useMay } from '../../../../ui/client/useMay.ts'

/** One's own calendar in another program. Anyone who sees no patients has none. */
export function CalendarFeedCard() {
  return useMay()('calendarFeeds.make') ? <Card /> : null
}

function Card() {
  const clock = useClock()
  const cache = useQueryClient()
  const options = orpc.calendarFeeds.mine.queryOptions()
  const mine = useQuery(options)
  /** Shown until the page is left, and never again. */
  const [url, setUrl] = useState<string | null>(null)
  const [asked, setAsked] = useState<'make' | 'revoke' | null>(null)
  const make = useMutation(
    orpc.calendarFeeds.make.mutationOptions({
      onSuccess(made) {
        setUrl(made.url)
        setAsked(null)
        cache.setQueryData(options.queryKey, { feed: made.feed })
      },
      onError: (error) => toast.error('The address was not made', messageOf(error)),
    }),
  )
  const revoke = useMutation(
    orpc.calendarFeeds.revoke.mutationOptions({
      onSuccess() {
        setUrl(null)
        setAsked(null)
        cache.setQueryData(options.queryKey, { feed: null })
        toast.success('The address no longer works')
      },
      onError: (error) => toast.error('The address still works', messageOf(error)),
    }),
  )
  const feed = mine.data?.feed
  return (
    <Section
      id="calendar-feed"
      title="Your calendar elsewhere"
      actions={
        feed && (
          <span className="flex gap-2">
            <Button onClick={() => setAsked('make')}>Make a new address</Button>
            <Button variant="danger" onClick={() => setAsked('revoke')}>
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
                <SecretField label="Secret address" value={url}>
                  Copy it now: it is not shown again. Anyone who has it can read your calendar. Add it in your program as a calendar from
                  the internet.
                </SecretField>
              )}
              <p className="text-sm text-fg-2">
                Made on {formatDateTime(feed.createdAt, clock)}, and{' '}
                {feed.readAt ? `last fetched on ${formatDateTime(feed.readAt, clock)}` : 'not fetched by any program yet.'}
                {!url && ' The address was shown when it was made. If you need it again, make a new one.'}
              </p>
            </div>
          ) : (
            <EmptyState
              icon={<CalendarSync />}
              title="No calendar feed yet"
              actions={
                <Button busy={make.isPending} busyLabel="Making..." onClick={() => make.mutate(undefined)}>
                  Create private link
                </Button>
              }
            >
              A program such as Outlook, Google Calendar or your phone can subscribe to your appointments and surgeries. It shows the kind
              of visit, the patient’s initials and the room.
            </EmptyState>
          )
        }
      </Asked>
      {asked && (
        <ConfirmDialog
          open
          onOpenChange={() => setAsked(null)}
          title={asked === 'make' ? 'Make a new address?' : 'Revoke the address?'}
          confirmLabel={asked === 'make' ? 'Make a new address' : 'Revoke'}
          danger={asked === 'revoke'}
          busy={make.isPending || revoke.isPending}
          onConfirm={() => (asked === 'make' ? make.mutate(undefined) : revoke.mutate(undefined))}
        >
          Every program that has subscribed to the present one gets nothing more.
        </ConfirmDialog>
      )}
    </Section>
  )
}
