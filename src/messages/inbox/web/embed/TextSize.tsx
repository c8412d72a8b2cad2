import { useQuery } from '@tanstack/react-query'
import { Moon } from 'lucide-react'
import { orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { cn } from '../../../../ui/cn.ts'
import { formatTimeOfDay } from '../../../../ui/format.ts'
import { maxTextLength, sizeOfText, withEnd } from '../../text-rules.ts'

interface TextSizeProps {
  text: string
  /** Whom it is written to: shows the cost, and that it is night for them. */
  contactId?: string | undefined
  /** A marketing text is sent with a line that ends it. */
  isCommercial?: boolean
  className?: string
}

/** The quiet hours that a patient is in, until they end. Null by day. */
export function useNight(contactId: string | undefined) {
  const { data } = useQuery(orpc.inbox.phones.queryOptions({ input: { contactId: contactId ?? '' }, enabled: contactId !== undefined }))
  const { now } = useClock()
  return data?.night && Date.parse(data.night.endsAt) > new Date(now).getTime() ? data.night : null
}

/** How many characters a text has, and how many segments it is charged as, while it is typed. */
export function TextSize({ text, contactId, isCommercial = false, className }: TextSizeProps) {
  const phones = useQuery(orpc.inbox.phones.queryOptions({ input: { contactId: contactId ?? '' }, enabled: contactId !== undefined }))
  const { segmentPrice = 0, marketingEnd } = phones.data ?? {}
  const end = isCommercial ? marketingEnd : undefined
  const sent = end && text !== '' ? withEnd(text, end) : text
  const { encoding, segments, left } = sizeOfText(sent)
  const night = useNight(contactId)
  const count = segments === 1 ? '1 segment' : `${segments} segments`
  const cost = segmentPrice > 0 ? ` · $${((segments * segmentPrice) / 10_000).toFixed(4)}` : ''
  const why = encoding === 'UCS-2' ? ' An emoji or an accent such as ê makes segments shorter.' : ''
  return (
    <div className={cn('flex flex-col gap-1 text-xs text-fg-3 tabular-nums', className)}>
      <p>
        {text === ''
          ? `Up to ${maxTextLength.toLocaleString('en-CA')} characters. Leave out clinical details: others may see the phone.`
          : `${sent.length.toLocaleString('en-CA')} characters · ${count}, ${left} left${cost}.${why}`}
        {text !== '' && end && ` Ends with: “${end}”`}
      </p>
      {night && (
        <p className="flex gap-1.5 text-warning-fg">
          <Moon aria-hidden="true" className="mt-px size-3.5!" />
          It is {formatTimeOfDay(night.time)} for the patient: quiet hours until {formatTimeOfDay(night.endTime)} their time.
        </p>
      )}
    </div>
  )
}
