import { useCallback, useEffect, useState } from 'react'

/** How a device is held: degrees that it is turned clockwise from the nearest level edge, and degrees that it leans from upright, never negative. */
export interface Hold {
  turn: number
  lean: number
}
interface Gravity {
  x: number
  y: number
  z: number
}

/**
 * From the acceleration that a device at rest measures, in its own axes. Browsers disagree about the sign of all three, and the edge that is down
 * differs, which changes nothing here.
 */
export function holdOf({ x, y, z }: Gravity): Hold {
  const degrees = (radians: number) => (radians * 180) / Math.PI
  const turned = degrees(Math.atan2(-x, y))
  return { turn: turned - Math.round(turned / 90) * 90, lean: Math.abs(degrees(Math.atan2(z, Math.hypot(x, y)))) }
}

/** In degrees: what a person does not see in the photo. */
const [turnTolerance, leanTolerance] = [2, 8] as const

/** What to do about how the device is held; null: it is level and upright. */
export function levelHint({ turn, lean }: Hold): string | null {
  if (lean > leanTolerance) return 'Hold the device upright'
  if (Math.abs(turn) <= turnTolerance) return null
  return turn > 0 ? 'Turn the device a little to the left' : 'Turn the device a little to the right'
}

/** Safari asks before it tells how the device is held. */
type Asking = { requestPermission?: () => Promise<'granted' | 'denied'> }

/** How the device is held; null where that is not known. `ask`: for a button, where the browser asks first; null where it does not. */
export function useHold(): { hold: Hold | null; ask: (() => void) | null } {
  const [hold, setHold] = useState<Hold | null>(null)
  const [isGranted, setGranted] = useState(false)
  const requestPermission = 'DeviceMotionEvent' in window ? (DeviceMotionEvent as unknown as Asking).requestPermission : undefined
  useEffect(() => {
    const read = ({ accelerationIncludingGravity: felt }: DeviceMotionEvent) => {
      if (felt?.x == null || felt.y == null || felt.z == null) return
      const next = holdOf({ x: felt.x, y: felt.y, z: felt.z })
      // Sixty events a second would draw the page as often.
      const isNear = (one: number, other: number) => Math.abs(one - other) < 0.5
      setHold((now) => (now && isNear(now.turn, next.turn) && isNear(now.lean, next.lean) ? now : next))
    }
    addEventListener('devicemotion', read)
    return () => removeEventListener('devicemotion', read)
  }, [isGranted])
  const ask = useCallback(() => {
    void requestPermission?.().then((answer) => setGranted(answer === 'granted'))
  }, [requestPermission])
  return { hold, ask: requestPermission && !hold ? ask : null }
}
