/** engine-blackjack: a game as a state that copies itself at every action; at most one split. */
import { DOUBLE, HIT, SPLIT } from './basic-strategy.ts';
import { type Peer, requireFrom } from './peer.ts';

interface Card {
  readonly value: number;
}
interface Hand {
  readonly cards: readonly Card[];
  readonly playerValue: { readonly hi: number; readonly lo: number };
  readonly availableActions: Readonly<Record<'double' | 'split' | 'insurance', boolean>>;
}
interface State {
  readonly stage: string;
  readonly dealerCards: readonly Card[];
  readonly handInfo: { readonly left: Hand; readonly right: Hand };
  readonly finalBet: number;
  readonly wonOnLeft: number;
  readonly wonOnRight: number;
}
interface Game {
  dispatch(action: object): void;
  getState(): State;
}
interface Library {
  readonly Game: new (state: undefined, rules: object) => Game;
  readonly presets: { getRules(rules: object): object };
  readonly actions: {
    deal(of: { bet: number }): object;
    insurance(of: { bet: number }): object;
    split(): object;
    hit(of: { position: string }): object;
    stand(of: { position: string }): object;
    double(of: { position: string }): object;
  };
}

const BET = 10;

export const peer: Peer = {
  async load(folder) {
    const { Game, presets, actions } = (await requireFrom(folder, 'engine-blackjack')) as Library;
    const rules = presets.getRules({ decks: 6, surrender: false });

    const answer = ({ stage, dealerCards, handInfo }: State): object => {
      const position = stage === 'player-turn-left' ? 'left' : 'right';
      const { cards, playerValue, availableActions } = handInfo[position];
      if (availableActions.insurance) return actions.insurance({ bet: 0 });
      const up = dealerCards[0]!.value;
      if (availableActions.split && SPLIT[up * 16 + cards[0]!.value] === 1) return actions.split();
      const { hi, lo } = playerValue;
      const at = up * 64 + (hi !== lo && hi <= 21 ? 32 + hi : lo);
      if (cards.length === 2 && availableActions.double && DOUBLE[at] === 1)
        return actions.double({ position });
      return HIT[at] === 1 ? actions.hit({ position }) : actions.stand({ position });
    };

    return (rounds) => {
      let won = 0;
      for (let i = 0; i < rounds; i++) {
        const game = new Game(undefined, rules);
        game.dispatch(actions.deal({ bet: BET }));
        let state = game.getState();
        for (let turn = 0; state.stage !== 'done'; turn++) {
          if (turn > 40) throw new Error(`a round that does not end: ${JSON.stringify(state.stage)}`);
          game.dispatch(answer(state));
          state = game.getState();
        }
        won += state.wonOnLeft + state.wonOnRight - state.finalBet;
      }
      return won / BET;
    };
  },
};
