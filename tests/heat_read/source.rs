//! Events from a real websocket, as Zaqar sends them: in fragments, with pings between, and closed.

use std::net::{TcpListener, TcpStream};
use std::thread::JoinHandle;

use heat_cli::source::{FinalStatus, SourceError, wait_for_events};
use serde_json::json;
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{Data, OpCode};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Error, Message, WebSocket};

/// A websocket server for one client, and its address.
fn serve(
    talk: impl FnOnce(&mut WebSocket<TcpStream>) + Send + 'static,
) -> (String, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("ws://{}/v2/websocket", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        let mut socket = tungstenite::accept(stream).unwrap();
        talk(&mut socket);
    });
    (address, server)
}

/// What a caller does: the texts of a websocket as an iterator.
fn texts(
    mut socket: WebSocket<MaybeTlsStream<TcpStream>>,
) -> impl Iterator<Item = Result<String, Error>> {
    std::iter::from_fn(move || {
        loop {
            match socket.read() {
                Ok(Message::Text(text)) => return Some(Ok(text.to_string())),
                Ok(Message::Close(_)) | Err(Error::ConnectionClosed) => return None,
                Ok(_) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    })
}

fn event(name: &str, physical: &str, status: &str, reason: &str) -> String {
    json!({
        "body": {
            "timestamp": "2031-03-04T10:00:05Z", "version": "0.1", "type": "os.heat.event", "id": "1",
            "payload": {
                "resource_name": name, "physical_resource_id": physical, "stack_id": "s1",
                "resource_action": "CREATE", "resource_status": status, "resource_status_reason": reason,
                "resource_type": "OS::Heat::Stack", "resource_properties": {}, "version": "0.1",
            },
        },
        "headers": {"status": 200}, "request": {"action": "message_list"},
    })
    .to_string()
}

/// One message in three frames, a ping between two of them.
fn send_in_pieces(socket: &mut WebSocket<TcpStream>, text: &str) {
    let (a, rest) = text.as_bytes().split_at(text.len() / 3);
    let (b, c) = rest.split_at(rest.len() / 2);
    let frame = |bytes: &[u8], code, last| {
        Message::Frame(Frame::message(bytes.to_vec(), OpCode::Data(code), last))
    };
    socket.send(frame(a, Data::Text, false)).unwrap();
    socket.send(Message::Ping(b"?".to_vec().into())).unwrap();
    socket.send(frame(b, Data::Continue, false)).unwrap();
    socket.send(frame(c, Data::Continue, true)).unwrap();
}

fn listen(address: &str) -> (Result<FinalStatus, SourceError>, String) {
    let (socket, _) = tungstenite::connect(address).unwrap();
    let mut log = Vec::new();
    let ended = wait_for_events(texts(socket), "web", &mut log);
    (ended, String::from_utf8(log).unwrap())
}

#[test]
fn fragments_and_pings_are_no_matter_and_the_stack_ends_it() {
    let (address, server) = serve(|socket| {
        socket
            .send(Message::text(event(
                "web",
                "s1",
                "IN_PROGRESS",
                "Stack CREATE started",
            )))
            .unwrap();
        send_in_pieces(socket, &event("server", "r1", "COMPLETE", "h\u{e9}ron"));
        socket.send(Message::Pong(Vec::new().into())).unwrap();
        send_in_pieces(socket, &event("web", "s1", "COMPLETE", "done"));
        while socket.read().is_ok() {}
    });
    let (ended, log) = listen(&address);
    assert_eq!(ended.unwrap().status, "CREATE_COMPLETE");
    assert_eq!(
        log,
        "2031-03-04 10:00:05Z  [web]: CREATE_IN_PROGRESS  Stack CREATE started\n\
         2031-03-04 10:00:05Z  [web.server]: CREATE_COMPLETE  h\u{e9}ron\n\
         2031-03-04 10:00:05Z  [web]: CREATE_COMPLETE  done\n"
    );
    server.join().unwrap();
}

#[test]
fn a_close_before_the_end_is_told_from_an_end() {
    let (address, server) = serve(|socket| {
        send_in_pieces(socket, &event("server", "r1", "COMPLETE", "x"));
        socket.close(None).unwrap();
        while socket.read().is_ok() {}
    });
    let (ended, log) = listen(&address);
    assert!(
        matches!(ended, Err(SourceError::Ended { received: 1, .. })),
        "{ended:?}"
    );
    assert_eq!(log.lines().count(), 1);
    server.join().unwrap();
}

#[test]
fn a_connection_that_breaks_and_a_message_that_is_no_event_are_told_apart() {
    let (address, server) = serve(|socket| {
        socket
            .send(Message::text(event("a", "r1", "COMPLETE", "x")))
            .unwrap();
        // The connection ends without a word.
    });
    let (ended, _) = listen(&address);
    assert!(
        matches!(ended, Err(SourceError::Receive { number: 2, .. })),
        "{ended:?}"
    );
    server.join().unwrap();
    let (address, server) = serve(|socket| {
        socket
            .send(Message::text(r#"{"body": {"status": "subscribed"}}"#))
            .unwrap();
    });
    let (ended, _) = listen(&address);
    let error = ended.unwrap_err();
    assert_eq!(
        error.to_string(),
        "message 1 is no event: it has no body.payload"
    );
    server.join().unwrap();
}
