# list.zsh FOLDER WORD...: what a real line editor lists when Tab is pressed after these words.
zmodload zsh/zpty
folder=$1
shift
zpty shell zsh -f -i
expect() { # reads until the line editor has written this
    local seen=
    while zpty -r shell chunk; do
        seen+=$chunk
        [[ $seen == *$1* ]] && break
    done
    print -r -- $seen
}
zpty -w shell "PS1= fpath=(${(q)folder}/zsh \$fpath) LISTMAX=1000; autoload -Uz compinit; compinit -u -d $HOME/dump"
zpty -w shell "bindkey '^I' list-choices; stty -echo; print start\$((1 + 1))"
expect start2 > /dev/null
zpty -w -n shell "${(j: :)@}"$'\t'
sleep 1
zpty -w -n shell $'\C-u'"print end\$((1 + 1))"$'\n'
expect end2
zpty -d shell
