import { EllipsisVertical, FileText, Undo2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { client, messageOf } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { Disclosure } from '../../../../ui/display/Disclosure.tsx'
import { Asked } from '../../../../ui/display/Section.tsx'
import { type Clock, formatDate, formatDay, today } from '../../../../ui/format.ts'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'
import { DropdownMenu, MenuItem } from '../../../../ui/overlays/DropdownMenu.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { SideDrawer } from '../../../../ui/overlays/SideDrawer.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { unbroken } from '../../../../ui/unbroken.ts'
import { type EndReason, type Purpose, purposeNames, purposes } from '../../rules.ts'
import type { LinkData, PatientUsesData, PhotoConsentData, UseData } from '../use-data.ts'
import type { PhotoUses } from './usePhotoUses.ts'

const RecordConsentDialog = lazyDialog(
  () => import('../RecordConsentDialog.tsx'),
  ({ onClose }) => onClose(),
)
const WithdrawPhotoConsentDialog = lazyDialog(
  () => import('../WithdrawPhotoConsentDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface UsesDrawerProps {
  contactId: string
  /** The selected photos. */
  photoIds: readonly string[]
  uses: PhotoUses
  /** 'Front, pre-op' */
  nameOf: (photoId: string) => string
  onClose: () => void
}

/** What the patient consented to, and where photos are used now and were used before. */
export default function UsesDrawer({ contactId, photoIds, uses, nameOf, onClose }: UsesDrawerProps) {
  const clock = useClock()
  const [isRecording, setRecording] = useState(false)
  const [withdrawn, setWithdrawn] = useState<string | null>(null)
  const [ending, setEnding] = useState<LinkData | null>(null)
  async function change(work: () => Promise<PatientUsesData>, done: string) {
    try {
      uses.show(await work())
      toast.success(done)
    } catch (error) {
      toast.error('Couldn’t save the change', messageOf(error))
    }
  }
  /** Ends uses for one purpose, each shown as ended at once; Undo begins them again, from now on. */
  async function end(ended: readonly UseData[]) {
    const [first] = ended
    let count = 0
    try {
      for (const { id } of ended) {
        uses.show(await client.photoUses.end({ id }))
        count++
      }
    } catch (error) {
      toast.error(count > 0 ? `${count} of ${ended.length} uses ended` : 'Couldn’t end the use', messageOf(error))
      return
    }
    const again = { contactId, photoIds: ended.map(({ photoId }) => photoId), purpose: first!.purpose, place: first!.place }
    toast.undoable(
      count === 1 ? 'Use ended' : `${count} uses ended`,
      () => void change(() => client.photoUses.begin(again), 'In use again'),
    )
  }
  return (
    <SideDrawer
      title="Consent and use of photos"
      onClose={onClose}
      footer={
        uses.mayUse && (
          <Button size="lg" className="ml-auto" onPointerEnter={RecordConsentDialog.prepare} onClick={() => setRecording(true)}>
            Record consent
          </Button>
        )
      }
      isReadOnly
    >
      <Asked query={uses.query} failed="Couldn’t load where photos are used">
        {(data) => (
          <div className="flex flex-col gap-6">
            <section aria-label="Consents">
              <h3 className="border-b border-line pb-2 text-title font-semibold">Consents</h3>
              <ul>
                {purposeNames.map((purpose) => (
                  <ConsentLine
                    key={purpose}
                    purpose={purpose}
                    consents={data.consents.filter((consent) => consent.purpose === purpose)}
                    clock={clock}
                    onWithdraw={setWithdrawn}
                  />
                ))}
              </ul>
            </section>
            {data.links.length > 0 && (
              <section aria-label="Links">
                <h3 className="border-b border-line pb-2 text-title font-semibold">Links</h3>
                <ul>
                  {data.links.map((link) => (
                    <LinkLine
                      key={link.id}
                      link={link}
                      isLive={data.uses.some(({ linkId, isLive }) => linkId === link.id && isLive)}
                      clock={clock}
                      onEnd={() => setEnding(link)}
                    />
                  ))}
                </ul>
              </section>
            )}
            <section aria-label="Uses">
              <h3 className="border-b border-line pb-2 text-title font-semibold">Uses</h3>
              {data.uses.some(({ linkId }) => linkId === null) ? (
                purposeNames.map((purpose) => {
                  const ofPurpose = data.uses.filter((use) => use.purpose === purpose && use.linkId === null)
                  const live = ofPurpose.filter(({ isLive }) => isLive)
                  const current = ofPurpose.filter((use) => use.isLive || mustRemove(use))
                  const ended = ofPurpose.filter((use) => !current.includes(use))
                  return (
                    ofPurpose.length > 0 && (
                      <section key={purpose} aria-label={purposes[purpose]} className="pt-3">
                        <div className="flex min-h-9 items-center justify-between gap-3 text-sm">
                          <h4 tabIndex={-1} className="font-medium text-fg-2 outline-none">
                            {purposes[purpose]}
                          </h4>
                          {live.length > 1 && <EndAll count={live.length} purpose={purpose} onEnd={() => end(live)} />}
                        </div>
                        <ul>
                          {current.map((use) => (
                            <UseLine
                              key={use.id}
                              use={use}
                              name={nameOf(use.photoId)}
                              clock={clock}
                              onEnd={() => end([use])}
                              onRemoved={() => change(() => client.photoUses.end({ id: use.id, removed: true }), 'Marked as removed')}
                            />
                          ))}
                        </ul>
                        {ended.length > 0 && (
                          <Disclosure summary={`${ended.length} ended`}>
                            <ul>
                              {ended.map((use) => (
                                <EndedLine key={use.id} use={use} name={nameOf(use.photoId)} clock={clock} />
                              ))}
                            </ul>
                          </Disclosure>
                        )}
                      </section>
                    )
                  )
                })
              ) : (
                <p className="pt-2.5 text-sm text-fg-3">No photo is used outside the chart. Select photos to share or use them.</p>
              )}
            </section>
          </div>
        )}
      </Asked>
      {isRecording && (
        <RecordConsentDialog contactId={contactId} photoIds={photoIds} onDone={uses.show} onClose={() => setRecording(false)} />
      )}
      {withdrawn && uses.query.data && (
        <WithdrawPhotoConsentDialog consentId={withdrawn} data={uses.query.data} onDone={uses.show} onClose={() => setWithdrawn(null)} />
      )}
      {ending && (
        <EndLinkDialog
          recipient={ending.recipient}
          onConfirm={() => change(() => client.photoUses.endLink({ id: ending.id }), 'Link ended')}
          onClose={() => setEnding(null)}
        />
      )}
    </SideDrawer>
  )
}

/** Asks first, as a link that ended cannot be opened again. */
function EndLinkDialog({ recipient, onConfirm, onClose }: { recipient: string; onConfirm: () => Promise<void>; onClose: () => void }) {
  const [isBusy, setBusy] = useState(false)
  async function confirm() {
    setBusy(true)
    await onConfirm()
    onClose()
  }
  return (
    <ConfirmDialog
      title="End this link?"
      action={{ label: 'End link', busyLabel: 'Ending…', isDanger: true }}
      isBusy={isBusy}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {recipient} will not be able to open the photos with it. To share them again, send a new link.
    </ConfirmDialog>
  )
}

const line = 'flex min-h-11 items-center gap-3 border-b border-line py-2 text-sm last:border-b-0'

interface ConsentLineProps {
  purpose: Purpose
  consents: readonly PhotoConsentData[]
  clock: Clock
  onWithdraw: (id: string) => void
}

function ConsentLine({ purpose, consents, clock, onWithdraw }: ConsentLineProps) {
  const day = today(clock)
  const isOver = ({ isWithdrawn, expiresOn }: PhotoConsentData) => isWithdrawn || (expiresOn !== null && expiresOn < day)
  const live = consents.filter((consent) => !isOver(consent))
  const withdrawable = live.filter(({ source }) => source === 'recorded')
  const withdrawn = consents.filter(({ isWithdrawn }) => isWithdrawn)
  const shown = live.length > 0 ? live : consents.slice(-1)
  return (
    <li className={line}>
      <div className="min-w-0 flex-1">
        <p className="font-medium text-fg">{purposes[purpose]}</p>
        {shown.map((consent) => (
          <div key={consent.id} className="pb-1 text-xs wrap-anywhere text-fg-3 last:pb-0">
            <p>{consent.note}</p>
            <p>{describeConsent(consent)}</p>
            {consent.withdrawnOn && (
              <p>
                Withdrawn {unbroken(formatDay(consent.withdrawnOn))}
                {consent.withdrawnBy && `: ${consent.withdrawnBy}`}
              </p>
            )}
          </div>
        ))}
      </div>
      {live.length > 0 ? (
        <Badge tone="success">Consented</Badge>
      ) : consents.some(({ isWithdrawn }) => isWithdrawn) ? (
        <Badge tone="danger">Withdrawn</Badge>
      ) : consents.length > 0 ? (
        <Badge tone="warning">Expired</Badge>
      ) : (
        <span className="text-sm text-fg-3">None</span>
      )}
      {withdrawable.length + withdrawn.length > 0 ? (
        <DropdownMenu trigger={<IconButton label={`Actions for ${purposes[purpose]}`} size="sm" icon={<EllipsisVertical />} />}>
          {withdrawn.map(({ id, withdrawnOn }) => (
            <MenuItem key={id} icon={<FileText />} onSelect={() => window.open(`/api/photo-consents/${id}.pdf`, '_blank', 'noreferrer')}>
              Report of withdrawal{withdrawn.length > 1 && withdrawnOn && ` (${formatDay(withdrawnOn)})`}
            </MenuItem>
          ))}
          {withdrawable.map(({ id, givenOn }) => (
            <MenuItem key={id} icon={<Undo2 />} danger onSelect={() => onWithdraw(id)}>
              Record withdrawal{withdrawable.length > 1 && ` (given ${formatDay(givenOn)})`}
            </MenuItem>
          ))}
        </DropdownMenu>
      ) : (
        <span aria-hidden="true" className="size-9 flex-none md:size-7" />
      )}
    </li>
  )
}

/** 'Given Nov 27, 2026, until Nov 30, 2026, for 2 photos' */
function describeConsent({ givenOn, expiresOn, photoIds }: PhotoConsentData): string {
  return [
    `Given ${unbroken(formatDay(givenOn))}`,
    expiresOn && `until ${unbroken(formatDay(expiresOn))}`,
    photoIds && (photoIds.length === 1 ? 'for 1 photo' : `for ${photoIds.length} photos`),
  ]
    .filter(Boolean)
    .join(', ')
}

function LinkLine({ link, isLive, clock, onEnd }: { link: LinkData; isLive: boolean; clock: Clock; onEnd: () => void }) {
  const on = (at: string | Date) => unbroken(formatDate(at, clock.timeZone))
  return (
    <li className={line}>
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere text-fg">{link.recipient}</p>
        <p className="text-xs wrap-anywhere text-fg-3">
          {[
            purposes[link.purpose],
            link.photoIds.length === 1 ? '1 photo' : `${link.photoIds.length} photos`,
            link.email,
            link.opened === 0 ? 'not opened' : `opened ${link.opened === 1 ? 'once' : `${link.opened} times`}, last ${on(link.openedAt!)}`,
            isLive ? `until ${on(link.expiresAt)}` : `sent ${on(link.createdAt)}`,
          ].join(' · ')}
        </p>
      </div>
      {isLive ? (
        <Button size="sm" onClick={onEnd}>
          End link
        </Button>
      ) : (
        <span className="flex-none text-sm text-fg-3">Ended</span>
      )}
    </li>
  )
}

const endings: Record<EndReason, string> = { ended: 'ended', withdrawn: 'withdrawn', expired: 'consent expired, ended' }

/** Ended where Refyne cannot end it, so that staff have to remove the photo. */
const mustRemove = ({ place, isLive, removedAt }: UseData) => place !== null && !isLive && removedAt === null

/** Moves the focus if it was on a button that is gone; the drawer itself has it then. */
function keepFocus(next: HTMLElement | null | undefined) {
  const active = document.activeElement
  if (!active || active === document.body || active.matches('[role="dialog"]')) next?.focus()
}

/** Ends the live uses for one purpose. */
function EndAll({ count, purpose, onEnd }: { count: number; purpose: Purpose; onEnd: () => Promise<void> }) {
  const [isBusy, setBusy] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  async function run() {
    const heading = button.current?.closest('section')?.querySelector('h4')
    setBusy(true)
    await onEnd()
    setBusy(false)
    requestAnimationFrame(() => keepFocus(heading))
  }
  return (
    <Button
      ref={button}
      size="sm"
      aria-label={`End all ${count} uses: ${purposes[purpose]}`}
      busy={isBusy}
      busyLabel="Ending…"
      onClick={() => void run()}
    >
      End all {count}
    </Button>
  )
}

interface UseFactsProps {
  use: UseData
  name: string
  clock: Clock
}

interface UseLineProps extends UseFactsProps {
  onEnd: () => Promise<void>
  onRemoved: () => Promise<void>
}

function UseLine({ use, name, clock, onEnd, onRemoved }: UseLineProps) {
  const [isBusy, setBusy] = useState(false)
  const row = useRef<HTMLLIElement>(null)
  /** The row goes with what its button did: the focus moves to the next row, or the one before, or the heading. */
  async function run(work: () => Promise<void>) {
    const { nextElementSibling: next, previousElementSibling: previous } = row.current!
    const near = next?.querySelector('button') ?? previous?.querySelector('button') ?? row.current!.closest('section')?.querySelector('h4')
    setBusy(true)
    await work()
    setBusy(false)
    requestAnimationFrame(() => keepFocus(near))
  }
  return (
    <li ref={row} className={line}>
      <UseFacts use={use} name={name} clock={clock} />
      {use.isLive ? (
        <Button
          size="sm"
          className="-mr-2.5"
          variant="quiet"
          aria-label={`End use of ${name}`}
          busy={isBusy}
          onClick={() => void run(onEnd)}
        >
          End use
        </Button>
      ) : (
        <Button
          size="sm"
          className="-mr-2.5"
          variant="quiet"
          aria-label={`Mark ${name} as removed`}
          busy={isBusy}
          onClick={() => void run(onRemoved)}
        >
          Mark removed
        </Button>
      )}
    </li>
  )
}

const EndedLine = (facts: UseFactsProps) => (
  <li className={line}>
    <UseFacts {...facts} />
  </li>
)

function UseFacts({ use, name, clock }: UseFactsProps) {
  const on = (at: string | Date) => unbroken(formatDate(at, clock.timeZone))
  return (
    <div className="min-w-0 flex-1">
      <p className="font-medium wrap-anywhere text-fg">
        {name}
        {use.place && `: ${use.place}`}
      </p>
      <p className="text-xs wrap-anywhere text-fg-3">
        {[
          `Since ${on(use.begunAt)}`,
          use.endedAt && use.endReason && `${endings[use.endReason]} ${on(use.endedAt)}`,
          use.removedAt && `removed ${on(use.removedAt)}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </div>
  )
}
