import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { procedureNames } from '../../../crm/procedures/rules.ts'
import { describeDeposit, patientMethod } from '../../../billing/pos/patient-rules.ts'
import { formatCents, formatMediumDay, type Language } from '../../../shared/translations.ts'
import { downloadBlob } from '../../../ui/client/download-blob.ts'
import { useClock, usePractice } from '../../../ui/client/session.ts'
import { today } from '../../../ui/format.ts'
import { useLanguage } from '../../../ui/patient/language.ts'
import { Card, ErrorLine, PortalButton, PortalSkeleton, sectionTitle } from '../../../ui/patient/parts.tsx'
import { frameTexts } from '../../../ui/patient/texts.ts'
import type { OwnAccount } from '../../receipts-contract.ts'
import { fetchFile, isSessionOver, type PatientSession, post } from '../calls.ts'
import { unbroken } from '../../../ui/unbroken.ts'
import { viewerDialog } from '../lazy-dialogs.ts'
import { PayLink } from '../PayLink.tsx'
import { LazyDialog } from '../LazyDialog.tsx'
import type { TrackedCall } from '../quotes/useQuotes.ts'
import { useFocusOnArrival } from '../useFocusOnArrival.ts'
import { Overdue } from './Overdue.tsx'
import { receiptsTexts } from './texts.ts'

/** As the API returns it: instants are ISO strings. */
type ReceiptData = Omit<OwnAccount['receipts'][number], 'createdAt'> & { createdAt: string }
type AccountData = Omit<OwnAccount, 'receipts'> & { receipts: ReceiptData[] }

/** What the patient has paid, with the PDF of each receipt, and what is still open. */
export default function ReceiptsView({ session, callTracked }: { session: PatientSession; callTracked: TrackedCall }) {
  const { name } = usePractice()
  const language = useLanguage()
  const t = receiptsTexts[language]
  const [account, setAccount] = useState<AccountData | 'failed' | null>(null)
  const [opened, setOpened] = useState<ReceiptData | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const title = useRef<HTMLHeadingElement>(null)
  useFocusOnArrival(title)

  const load = () =>
    callTracked(async () => {
      const response = await post('patient-receipts-fetch', { contactId: session.contactId, sessionToken: session.token })
      return (await response.json()) as AccountData
    })
  async function show() {
    setAccount(null)
    try {
      setAccount(await load())
    } catch (error) {
      if (!isSessionOver(error)) setAccount('failed')
    }
  }
  /** Without the skeleton: what is shown stays until the answer arrives. */
  const refresh = () => load().then(setAccount, () => undefined)
  const showFirst = useEffectEvent(() => void show())
  useEffect(() => showFirst(), [])

  /** Links work for one minute, so each use asks for a new one. */
  async function fileOf({ id }: { id: string }): Promise<Blob> {
    const { receipts } = await load()
    const receipt = receipts.find((one) => one.id === id)
    const bytes = receipt && (await callTracked(() => fetchFile(`${receipt.fileUrl}&language=${language}`)))
    if (!bytes) throw new Error('The receipt no longer exists')
    return bytes
  }
  async function download(document: { id: string; name: string }) {
    setFailed(false)
    try {
      downloadBlob(await fileOf(document), document.name)
    } catch (error) {
      if (!isSessionOver(error)) setFailed(true)
    }
  }

  return (
    <>
      <h1 ref={title} tabIndex={-1} className="text-3xl font-semibold outline-none md:text-4xl">
        {t('title')}
      </h1>
      <p className="max-w-[60ch] pt-1.5 text-portal text-fg-2">{t('intro', { practice: name })}</p>
      <div className="flex flex-col gap-5 pt-6">
        {account === null &&
          [t('balance'), t('receipts')].map((heading, index) => (
            <Card key={heading}>
              <h2 className={sectionTitle}>{heading}</h2>
              <PortalSkeleton rows={index + 1} />
            </Card>
          ))}
        {account === 'failed' && (
          <Card className="flex flex-col items-start gap-4">
            <ErrorLine>{t('failed')}</ErrorLine>
            <PortalButton onClick={() => void show()}>{frameTexts[language]('tryAgain')}</PortalButton>
          </Card>
        )}
        {account !== null && account !== 'failed' && (
          <>
            <Balance account={account} onBack={() => void refresh()} />
            <Card aria-labelledby="receipts">
              <h2 id="receipts" className={sectionTitle}>
                {t('receipts')}
              </h2>
              {hasFailed && <ErrorLine className="pt-3">{t('download')}</ErrorLine>}
              {account.receipts.length === 0 ? (
                <p className="pt-3 text-portal text-fg-2">{t('none')}</p>
              ) : (
                <ul className="pt-4">
                  {account.receipts.map((receipt) => (
                    <ReceiptRow key={receipt.id} receipt={receipt} onView={() => setOpened(receipt)} />
                  ))}
                </ul>
              )}
            </Card>
          </>
        )}
      </div>
      {opened && (
        <LazyDialog code={viewerDialog} onFail={() => setOpened(null)}>
          {({ default: ViewerDialog }) => (
            <ViewerDialog
              document={{ id: opened.id, name: `${nameOf(opened, language)}.pdf`, type: 'application/pdf' as const, previewUrl: null }}
              fileOf={fileOf}
              onDownload={download}
              onClose={() => setOpened(null)}
            />
          )}
        </LazyDialog>
      )}
    </>
  )
}

const nameOf = ({ kind, number }: ReceiptData, language: Language): string => receiptsTexts[language](kind, { number: number ?? '' }).trim()

function Balance({ account: { portions, underWayCents, payPath }, onBack }: { account: AccountData; onBack: () => void }) {
  const clock = useClock()
  const language = useLanguage()
  const t = receiptsTexts[language]
  const cents = portions.reduce((sum, portion) => sum + portion.cents, 0)
  const dueText = ({ dueOn, isBeforeSurgery }: AccountData['portions'][number]) => {
    const day = unbroken(formatMediumDay(dueOn, language))
    if (dueOn < today(clock)) return <Overdue>{t('overdue', { day })}</Overdue>
    return <p className="text-fg-2">{isBeforeSurgery ? t('dueBeforeSurgery', { day }) : t('due', { day })}</p>
  }
  return (
    <Card aria-labelledby="balance">
      <h2 id="balance" className={sectionTitle}>
        {t('balance')}
      </h2>
      {cents === 0 ? (
        <p className="pt-3 text-portal text-fg-2">{t('nothingOwed')}</p>
      ) : (
        <>
          <p className="pt-3 text-2xl font-semibold tabular-nums">{t('owed', { amount: formatCents(cents, language) })}</p>
          <ul className="pt-3">
            {portions.map((portion) => (
              <li
                key={`${portion.dueOn} ${portion.isBeforeSurgery}`}
                className="flex justify-between gap-x-4 border-t border-line py-3 text-portal first:border-t-0 first:pt-0"
              >
                {dueText(portion)}
                {portions.length > 1 && <span className="flex-none font-medium tabular-nums">{formatCents(portion.cents, language)}</span>}
              </li>
            ))}
          </ul>
          {underWayCents > 0 && <p className="pt-1 text-portal">{t('underWay', { amount: formatCents(underWayCents, language) })}</p>}
          {payPath ? (
            <div className="pt-3">
              <PayLink path={payPath} variant="filled" onBack={onBack}>
                {t('payByCard')}
              </PayLink>
            </div>
          ) : (
            <p className="pt-1 text-title text-fg-2">{t('payHow')}</p>
          )}
        </>
      )}
    </Card>
  )
}

function ReceiptRow({ receipt, onView }: { receipt: ReceiptData; onView: () => void }) {
  const { timeZone } = usePractice()
  const language = useLanguage()
  const t = receiptsTexts[language]
  const { kind, items, isDeposit, appliedCents, totalCents, paymentMethod, createdAt } = receipt
  const day = formatMediumDay(createdAt, language, timeZone)
  const name = nameOf(receipt, language)
  return (
    <li className="flex items-center gap-x-4 border-t border-line py-4 first:border-t-0 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1">
        <h3 className="flex flex-wrap justify-between gap-x-4 text-portal font-semibold">
          <span>{name}</span>
          <span className="tabular-nums">{formatCents(totalCents, language)}</span>
        </h3>
        <p className="text-title leading-relaxed text-fg-2 [overflow-wrap:anywhere]">
          {isDeposit ? describeDeposit(receipt, appliedCents, language) : procedureNames(items, language)}
        </p>
        <p className="text-title leading-relaxed text-fg-2">
          {paymentMethod === null
            ? day
            : t(kind === 'refund' ? 'refundedTo' : 'paidBy', { day, method: patientMethod(paymentMethod, language) })}
        </p>
      </div>
      <PortalButton aria-label={t('viewName', { name })} className="flex-none" onClick={onView}>
        {t('view')}
      </PortalButton>
    </li>
  )
}
